#!/bin/bash
# turns.sh MEADOW : CPU a request and peak memory of FastMCP (TypeScript) and Meadow, measured in turn; needs PEERS (see README)
M=$(realpath "$1"); cd "$(dirname "$0")"; P=${PEERS:-$PWD/../peers/installed}; D=$(mktemp -d); trap 'rm -rf "$D"' EXIT
run(){ python3 http_bench.py --name "$1" --cmd "$2" --env PORT=$3 --mode $4 --url http://127.0.0.1:$3/mcp --doc data/$5.json -c ${CONC:-16} --secs ${SECS:-3} --repeat 1 \
  | sed -E "s/.*peak ([0-9]+).*= ([0-9.]+) ms\/req \| errors ([0-9]+).*/$1 $4 $5 \2 ms, \1 MiB, \3 errors/"; }
for r in $(seq ${ROUNDS:-3}); do echo "## round $r, load $(cut -d' ' -f1 /proc/loadavg)"
 for m in call get; do for d in ${DOCS:-2k 50k 1m}; do
  run fastmcp "exec node $P/fastmcp-ts/server.mjs" 21502 $m $d
  rm -f "$D"/*; run meadow "exec $M serve --store sqlite:$D/bench.db --listen 127.0.0.1:21590" 21590 $m $d
 done; done; done
