"""A scripted agent on the official MCP client: grows a model until it is complete, then an analyst GETs it.

client.py MEADOW: starts that binary, over HTTP and over stdio, on a store of its own. Prints one line a check and
'N passed, N failed'. Needs the package `mcp`.
"""
import asyncio, json, os, subprocess, sys, tempfile, urllib.request
from mcp import Client, StdioServerParameters

WRITER, READER = "systems_thinking_writer", "systems_thinking_reader"
passed = failed = 0


def check(name, holds, seen):
    global passed, failed
    passed, failed = passed + bool(holds), failed + (not holds)
    print(f"{'ok ' if holds else 'BAD'} {name}" + ("" if holds else f": {seen!r}"), flush=True)


MODEL = {
    "version": "1.0.0",
    "system_name": "Cup of coffee",
    "boundary": {"purpose": "Bring the coffee to the temperature of the room", "scope_in": ["coffee", "cup"], "scope_out": ["kitchen"]},
    "elements": ["heat", "cooling", "room_heat"],
    "interconnections": [{"from": "heat", "to": "cooling", "type": "causal"}],
    "stocks": [
        {"id": "heat", "unit": "kJ", "description": "Heat of the coffee above the room's"},
        {"id": "room_heat", "unit": "kJ", "description": "Heat that the room took up"},
    ],
    "flows": [{"id": "cooling", "from_stock": "heat", "to_stock": "room_heat", "rate_expr": "0.1 * heat"}],
    "loops": {"balancing": [{"id": "Cool Down B", "description": "heat -> cooling -> heat: hotter coffee cools faster"}], "reinforcing": []},
    "leverage_points": [{"id": 12, "label": "Constants", "is_applicable": True}],
    "interventions": [{"target_leverage_id": 12, "proposal": "Use a thicker cup", "expected_effect": "It stays warm longer", "confidence": 0.9}],
}


async def agent(name, server):
    """Fills the model member by member, as the writer's answers ask for it."""
    async with Client(server) as client:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        check(f"{name}: the tools are listed", {WRITER, READER} <= tools, tools)
        check(f"{name}: instructions are given", client.instructions, client.instructions)
        document, rounds = {}, 0
        while True:
            result = await client.call_tool(WRITER, document)
            answer = result.structured_content
            if result.is_error or answer is None or answer["complete"] or rounds > len(MODEL):
                break
            asked = [path.split(".")[0].split("[")[0] for path in answer["missing_fields"]]
            member = asked[0] if asked else "interventions"
            document[member], rounds = MODEL[member], rounds + 1
        check(f"{name}: the model is complete", answer and answer["complete"], result)
        check(f"{name}: each member took a round", document == MODEL and rounds == len(MODEL), (rounds, document))
        bad = await client.call_tool(WRITER, {"version": 1, "stocks": {}})
        check(f"{name}: a refusal names every fault", bad.is_error and all(p in bad.content[0].text for p in ("/version", "/stocks")), bad)
        read = await client.call_tool(READER, {})
        check(f"{name}: the reader gives it back", "Cool Down B" in read.content[0].text, read)
        latest = await client.read_resource("model://latest")
        check(f"{name}: the resource is the document", json.loads(latest.contents[0].text) == MODEL, latest)


def serve(meadow, store):
    server = subprocess.Popen([meadow, "serve", "--listen", "127.0.0.1:0", "--log", "warn", "--store", store], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return server, server.stdout.readline().strip()


def analyst(name, url):
    with urllib.request.urlopen(f"{url}/model") as answer:
        check(f"{name}: GET /model gives the model", json.load(answer) == MODEL, answer)


def main(meadow):
    with tempfile.TemporaryDirectory() as folder:
        store = f"sqlite:{folder}/http.db"
        server, url = serve(meadow, store)
        try:
            asyncio.run(agent("http", f"{url}/mcp"))
            analyst("http", url)
        finally:
            server.terminate()
        check("http: the server ends when asked", server.wait(30) == 0, server.returncode)

        store = f"sqlite:{folder}/stdio.db"
        asyncio.run(agent("stdio", StdioServerParameters(command=meadow, args=["stdio", "--store", store])))
        server, url = serve(meadow, store)
        try:
            analyst("stdio, then serve", url)
        finally:
            server.terminate()
            server.wait(30)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1])))
