#!/usr/bin/env bash
# Meadow under load, on SQLite, on DynamoDB and over stdio, beside FastMCP and sequential-thinking (docs/PERFORMANCE.md).
#
#   [PEERS=FOLDER] [LENGTH=60] [AGENTS=64] tests/bench/load/run.sh
#
# Takes LENGTH seconds for each server; installs the peers into PEERS where they are not there yet.
set -euo pipefail
cd "$(dirname "$0")/../../.."

CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/meadow
MEADOW=${CARGO_TARGET_DIR:-$PWD/target}/release/meadow
PEERS=${PEERS:-$CACHE/peers}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

cargo build --release --locked -p meadow
CARGO_TARGET_DIR=$CACHE/dynamodb cargo build -q --locked --manifest-path tests/dynamodb/Cargo.toml
[ -e "$PEERS/sequential-thinking" ] || tests/bench/peers/install.sh "$PEERS"
python3 tests/bench/server/gendoc.py >/dev/null
# Ends with its standard input, which is this script's.
coproc DYNAMODB { exec "$CACHE/dynamodb/debug/dynamodb-server"; }
read -r endpoint <&"${DYNAMODB[0]}"
a=$(port) b=$(port) c=$(port) d=$(port) e=$(port)
uptime
cargo bench -q --locked -p meadow-tests --bench load -- \
    "Meadow, SQLite|meadow|$a|$MEADOW serve --log warn --listen 127.0.0.1:$a --store sqlite:$scratch/http.db" \
    "Meadow, DynamoDB|meadow|$b|$MEADOW serve --log warn --listen 127.0.0.1:$b --store dynamodb:load?endpoint=$endpoint" \
    "FastMCP (TypeScript)|writer|$c|env PORT=$c node $PEERS/fastmcp-ts/server.mjs" \
    "FastMCP (TypeScript), stateless|writer|$d|env PORT=$d STATELESS=1 JSONRESP=1 node $PEERS/fastmcp-ts/server.mjs" \
    "FastMCP (Python)|writer|$e|env PORT=$e $PEERS/fastmcp-py/venv/bin/python $PEERS/fastmcp-py/server.py" \
    "Meadow, SQLite, stdio|meadow||$MEADOW stdio --log warn --store sqlite:$scratch/stdio.db" \
    "sequential-thinking, stdio|thinker||env DISABLE_THOUGHT_LOGGING=true node $PEERS/sequential-thinking/node_modules/@modelcontextprotocol/server-sequential-thinking/dist/index.js"
uptime
