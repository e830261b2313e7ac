#!/usr/bin/env bash
# Measures the functions: sizes, start, warm times, memory, CPU (docs/PERFORMANCE.md). Options go to measure.py.
#
#   tests/bench/lambda/run.sh [--starts 20] [--calls 200]
set -euo pipefail
cd "$(dirname "$0")/../../.."

CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/meadow
BUILT=${CARGO_TARGET_DIR:-$PWD/target}/release

cargo build --release --locked -p meadow -p meadow-functions
CARGO_TARGET_DIR=$CACHE/dynamodb cargo build -q --locked --manifest-path tests/dynamodb/Cargo.toml
# Ends with its standard input, which is this script's.
coproc DYNAMODB { exec "$CACHE/dynamodb/debug/dynamodb-server"; }
read -r endpoint <&"${DYNAMODB[0]}"
token=$("$BUILT/meadow" token new --name bench --store "dynamodb:meadow-bench?endpoint=$endpoint")
uptime
python3 tests/bench/lambda/measure.py --functions "$BUILT" --env MEADOW_AUTH=token --env MEADOW_TABLE=meadow-bench \
    --env MEADOW_DYNAMODB_ENDPOINT="$endpoint" --env "MEADOW_ALLOWED_HOSTS=*" --env MEADOW_LOG=info "$@" "TOKEN=$token"
uptime
