#!/usr/bin/env bash
# Our engine beside pysimlin, PySD, BPTK and networkx in one run, as one table: the least CPU of several runs of each
# peer, the median of ours, one process each.
#
#   tests/bench/dynamics/run.sh
#
# Installs the peers from PyPI into ~/.cache/meadow/dynamics. Each of the ten parts of the peers has LIMIT seconds
# (60), so that the whole ends within a quarter of an hour once the bench is compiled.
set -euo pipefail
cd "$(dirname "$0")"
venv=${XDG_CACHE_HOME:-$HOME/.cache}/meadow/dynamics
limit=${LIMIT:-60}
if [ ! -x "$venv/bin/python" ]; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install -q --disable-pip-version-check pysimlin==0.8.5 pysd==3.14.3 BPTK-Py==3.2.0 networkx==3.6.1
fi
python=$venv/bin/python
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$python" gen_models.py "$scratch/models" >/dev/null
"$python" gen_graphs.py "$scratch/graphs" >/dev/null

{
    cargo bench -q ${PROFILE:+--profile "$PROFILE"} -p meadow-dynamics --bench run
    cargo bench -q ${PROFILE:+--profile "$PROFILE"} -p meadow-dynamics --bench loops -- \
        "$scratch/graphs/g_20_3.json" "$scratch/graphs/g_50_3.json"
    for model in sir_long chain1000; do
        for engine in pysimlin pysd bptk_rust; do
            # PySD writes a file beside the model: every engine gets a folder of its own.
            mkdir -p "$scratch/$engine" && cp "$scratch/models/$model".* "$scratch/$engine/"
            timeout "$limit" "$python" bench_one.py $engine "$scratch/$engine/$model.xmile" 3 2>/dev/null ||
                echo "$engine $model: no answer within $limit s"
        done
    done
    for graph in g_20_3 g_50_3; do
        for tool in nx simlin; do
            # networkx stops by itself and says how far it came.
            timeout "$limit" "$python" bench_loops.py $tool "$scratch/graphs/$graph" $((limit / 3)) ||
                echo "$tool $graph: no answer within $limit s"
        done
    done
} | tee "$scratch/figures" >&2
python3 table.py "$scratch/figures"
