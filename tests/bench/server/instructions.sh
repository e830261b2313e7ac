#!/bin/bash
# instructions.sh MEADOW [MODE:DOC...] : instructions a request by callgrind, which noise on the machine does not change. SHA-256
# counts as software there (about 60 a byte). Profiles stay in $OUT: callgrind_annotate FILE. Needs valgrind and a binary
# with its symbols.
M=$(realpath "$1"); cd "$(dirname "$0")"; shift; OUT=${OUT:-$(mktemp -d)}; N=${N:-300}; echo "profiles in $OUT"
for what in ${@:-call:2k call:50k get:2k}; do mode=${what%:*}; doc=${what#*:}; rm -f "$OUT"/bench.db*
valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file="$OUT/$mode-$doc.out" "$M" serve --store sqlite:"$OUT"/bench.db --listen 127.0.0.1:21591 >"$OUT/log" 2>&1 & p=$!
python3 - $mode data/$doc.json $N $p <<'P'
import subprocess, sys, time, mcpwire as w
mode, doc, n, pid = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
raw = open(doc, 'rb').read().strip().replace(b'"version":"1.0.0"', b'"version":"10000000"', 1)
h = w.Http('http://127.0.0.1:21591/mcp'); w.wait_port(h.port)
for _ in range(200):
    try: h.init(); break
    except (OSError, RuntimeError): h.c.close(); time.sleep(.1)
def one(i):
    if mode == 'call': s, _, d = h.post(w.call_bytes('systems_thinking_writer', raw.replace(b'10000000', b'%08d' % i, 1), None))
    else: s, _, d = h.get('/model')
    assert s == 200, d[:300]
h.post(raw, path='/model')
for i in range(30): one(i)
subprocess.run(['callgrind_control', '-i', 'on', pid], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
for i in range(n): one(100 + i)
subprocess.run(['callgrind_control', '-i', 'off', pid], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
P
kill $p; wait $p; echo "$mode $doc $(awk -v n=$N '/refs/ { gsub(",", "", $NF); printf "%.0f", $NF / n }' "$OUT/log")"; done
