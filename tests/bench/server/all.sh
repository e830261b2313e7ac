#!/bin/bash
# all.sh OUT : every peer, startup + stdio + HTTP. Add a server: one line in the two tables below.
# stdio table: name|command|wrap|tool|doc-for-startup ; http table: name|command|port|wrap|env(,)|has /model
cd "$(dirname "$0")"; OUT=${1:-results.txt}; P=${PEERS:-$PWD/../peers/installed}; N=${N:-7}; REP=${REP:-3}; SECS=${SECS:-3}
secs(){ [ $1 = 1m ] && echo $((SECS*4)) || echo $SECS; }  # 64 x 1 MB do not finish in 2 s
ts(){ echo "## $(date +%T) load $(cut -d' ' -f1-3 /proc/loadavg) $*" | tee -a $OUT; }
STDIO="fastmcp-ts|exec node $P/fastmcp-ts/server.mjs||systems_thinking_writer|data/2k.json
fastmcp-py|exec $P/fastmcp-py/venv/bin/python $P/fastmcp-py/server.py||systems_thinking_writer|data/2k.json
${EXTRA_STDIO:-}"
HTTP="fastmcp-ts|exec node $P/fastmcp-ts/server.mjs|21502|||yes
fastmcp-ts-stateless-json|exec node $P/fastmcp-ts/server.mjs|21503||STATELESS=1,JSONRESP=1|yes
fastmcp-py|exec $P/fastmcp-py/venv/bin/python $P/fastmcp-py/server.py|21504|||yes
${EXTRA_HTTP:-}"
if [[ ${PARTS:-start stdio http} == *start* ]]; then ts startup
while IFS='|' read n c w t d; do [ -n "$n" ] && python3 start_time.py --name "$n stdio" --cmd "$c" ${w:+--wrap $w} --tool $t --doc $d -n $N 2>&1 | tail -1 | tee -a $OUT; done <<<"$STDIO"
while IFS='|' read n c p w e m; do [ -n "$n" ] && python3 start_time.py --name "$n" --cmd "$c" --url http://127.0.0.1:$p/mcp ${w:+--wrap $w} --env PORT=$p $(for x in ${e//,/ }; do echo --env $x; done) --doc data/2k.json -n $N 2>&1 | tail -1 | tee -a $OUT; done <<<"$HTTP"; fi
if [[ ${PARTS:-start stdio http} == *stdio* ]]; then ts stdio
while IFS='|' read n c w t d; do [ -z "$n" ] && continue
 docs=$d; [ $t = systems_thinking_writer ] && docs=$(for x in ${DOCS:-2k 50k 1m}; do echo data/$x.json; done)
 python3 stdio_bench.py --name "$n ping" --cmd "$c" --method ping --secs $SECS --repeat $REP 2>&1 | tail -1 | tee -a $OUT
 for f in $docs; do python3 stdio_bench.py --name "$n $(basename $f)" --cmd "$c" ${w:+--wrap $w} --tool $t --doc $f --secs $SECS --repeat $REP 2>&1 | tail -1 | tee -a $OUT; done; done <<<"$STDIO"; fi
if [[ ${PARTS:-start stdio http} == *http* ]]; then ts http
while IFS='|' read n c p w e m; do [ -z "$n" ] && continue; ts $n
 E=$(for x in ${e//,/ }; do echo --env $x; done)
 for f in ${DOCS:-2k 50k 1m}; do python3 http_bench.py --name "$n" --cmd "$c" --url http://127.0.0.1:$p/mcp ${w:+--wrap $w} --env PORT=$p $E --doc data/$f.json -c ${CONC:-1,16,64} --secs $(secs $f) --repeat $REP 2>&1 | tee -a $OUT; done
 if [ $m = yes ]; then for f in ${DOCS:-2k 50k 1m}; do for k in post get; do python3 http_bench.py --name "$n" --mode $k --cmd "$c" --url http://127.0.0.1:$p/mcp --env PORT=$p $E --doc data/$f.json -c ${CONC:-1,16,64} --secs $(secs $f) --repeat $REP 2>&1 | tee -a $OUT; done; done; fi
done <<<"$HTTP"; fi
ts end
