#!/usr/bin/env bash
# Our engine beside pysimlin, PySD, BPTK and networkx in one run: the least CPU of several runs, one process each.
#
#   tests/bench/dynamics/run.sh
#
# Installs the peers from PyPI into ~/.cache/meadow/dynamics.
set -euo pipefail
cd "$(dirname "$0")"
venv=${XDG_CACHE_HOME:-$HOME/.cache}/meadow/dynamics
if [ ! -x "$venv/bin/python" ]; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install -q --disable-pip-version-check pysimlin==0.8.5 pysd==3.14.3 BPTK-Py==3.2.0 networkx==3.6.1
fi
python=$venv/bin/python
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$python" gen_models.py "$scratch/models" >/dev/null
"$python" gen_graphs.py "$scratch/graphs" >/dev/null

echo "--- runs, Meadow"
cargo bench -q -p meadow-dynamics --bench run
echo "--- runs, peers"
for model in sir_long chain1000; do
    for engine in pysimlin pysd bptk_rust; do
        # PySD writes a file beside the model: every engine gets a folder of its own.
        mkdir -p "$scratch/$engine" && cp "$scratch/models/$model".* "$scratch/$engine/"
        timeout 120 "$python" bench_one.py $engine "$scratch/$engine/$model.xmile" 3 2>/dev/null ||
            echo "$engine $model: no answer within 120 s"
    done
done
for graph in g_20_3 g_50_2 g_50_3; do
    echo "--- loops of $graph"
    cargo bench -q -p meadow-dynamics --bench loops -- "$scratch/graphs/$graph.json"
    for tool in nx simlin; do
        timeout 60 "$python" bench_loops.py $tool "$scratch/graphs/$graph" 20 ||
            echo "$tool: no answer within 60 s"
    done
done
