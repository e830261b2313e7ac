#!/bin/bash
# install.sh DIR: puts the peers that the benchmark scripts start into DIR (npm and PyPI packages only).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd); dir=${1:?usage: install.sh DIR}; mkdir -p "$dir"
cp -r "$here/fastmcp-ts" "$here/fastmcp-py" "$dir/"
(cd "$dir/fastmcp-ts" && npm install --no-audit --no-fund)
python3 -m venv "$dir/fastmcp-py/venv" && "$dir/fastmcp-py/venv/bin/pip" install -q 'fastmcp==4.2.3'
npm install --no-audit --no-fund --prefix "$dir/sequential-thinking" @modelcontextprotocol/server-sequential-thinking@2026.8.31
