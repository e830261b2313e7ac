"""The clients that PyPI has, in both eras of the protocol, over every transport.

clients.py MEADOW HTTP LAMBDA: that binary over stdio, a server that runs at the first URL, functions behind the second.
Prints one line a check and 'N passed, N failed'. Needs the packages `mcp` and `fastmcp`.
"""
import asyncio, importlib.metadata, json, pathlib, sys

import fastmcp, mcp
from fastmcp.client.transports import StdioTransport
from steps import check, end, steps

MODEL = json.loads((pathlib.Path(__file__).parents[1] / "models" / "01-bathtub.json").read_text())
ERAS = {"auto": "2026-07-28", "legacy": "2025-11-25"}
STDIO = ["stdio", "--store", "memory:", "--log", "warn"]


async def run(meadow, http, functions):
    servers = {
        "http": lambda _: f"{http}/mcp",
        "lambda": lambda _: f"{functions}/mcp",
        "stdio": lambda package: mcp.StdioServerParameters(command=meadow, args=STDIO) if package is mcp else StdioTransport(meadow, STDIO, keep_alive=False),
    }
    for package in (mcp, fastmcp):
        version = importlib.metadata.version(package.__name__)
        for mode, era in ERAS.items():
            for transport, server in servers.items():
                name = f"{package.__name__} {version}, {transport}, {mode}"
                try:
                    async with asyncio.timeout(60), package.Client(server(package), mode=mode) as client:
                        check(f"{name}: speaks {era}", str(client.protocol_version) == era, client.protocol_version)
                        await steps(name, client, MODEL)
                except Exception as error:
                    check(f"{name}: no client throws", False, error)


asyncio.run(run(*sys.argv[1:]))
sys.exit(end())
