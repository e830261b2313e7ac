"""A scripted agent on the official MCP client: grows a model until it is complete, then an analyst GETs it.

client.py MEADOW: starts that binary, over HTTP, over stdio and with access by token, on a store of its own. Prints one line a check and
'N passed, N failed'. Needs the package `mcp`.
"""
import asyncio, json, os, subprocess, sys, tempfile, threading, urllib.error, urllib.request
from steps import READER, WRITER, check, end
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

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


def serve(meadow, store, *more):
    server = subprocess.Popen([meadow, "serve", "--listen", "127.0.0.1:0", "--log", "warn", "--store", store, *more], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return server, server.stdout.readline().strip()


def analyst(name, url, headers={}):
    with urllib.request.urlopen(urllib.request.Request(f"{url}/model", headers=headers)) as answer:
        check(f"{name}: GET /model gives the model", json.load(answer) == MODEL, answer)


def with_token(url, token):
    return streamable_http_client(f"{url}/mcp", http_client=create_mcp_http_client(headers={"Authorization": f"Bearer {token}"}))


def token(meadow, store, *more):
    made = subprocess.run([meadow, "token", "new", "--name", "test", "--store", store, *more], capture_output=True, text=True)
    check("token: one line on standard output", made.returncode == 0 and made.stdout.startswith("mdw_") and len(made.stdout) == 65, made.stderr)
    return made.stdout.strip()


async def reads_only(url, token):
    async with Client(with_token(url, token)) as client:
        read = await client.call_tool(READER, {})
        check("token: one that may read reads", "Cool Down B" in read.content[0].text, read)
        try:
            seen = await client.call_tool(WRITER, MODEL)
        except Exception as error:
            seen = error
        check("token: one that may only read does not write", "model:write" in str(seen) or "403" in str(seen), seen)


def refused(name, url, headers):
    try:
        with urllib.request.urlopen(urllib.request.Request(f"{url}/model", headers=headers)) as answer:
            check(name, False, answer.status)
    except urllib.error.HTTPError as error:
        check(name, error.code == 401 and error.headers["WWW-Authenticate"].startswith("Bearer "), error.headers)


def by_token(meadow, store):
    writer, reader = token(meadow, store), token(meadow, store, "--scopes", "model:read")
    server, url = serve(meadow, store, "--auth", "token")
    try:
        asyncio.run(agent("token", with_token(url, writer)))
        analyst("token", url, {"Authorization": f"Bearer {writer}"})
        asyncio.run(reads_only(url, reader))
        refused("token: nobody without one is let in", url, {})
        refused("token: nor with half of one", url, {"Authorization": f"Bearer {writer[:32]}"})
    finally:
        server.terminate()
        server.wait(30)
    subprocess.run([meadow, "token", "revoke", writer[4:14], "--store", store], check=True, capture_output=True)
    server, url = serve(meadow, store, "--auth", "token")
    try:
        refused("token: nor with a revoked one", url, {"Authorization": f"Bearer {writer}"})
    finally:
        server.terminate()
        server.wait(30)


def large_calls(meadow, calls=1000, size=1_000_000):
    """Calls of 1 MB over stdio at the finest log level: as many answers, each a message on a line of its own."""
    command = [meadow, "stdio", "--store", "memory:", "--log", "trace"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        def send():
            document = json.dumps({**MODEL, "notes": "x" * size})
            for id in range(1, calls + 1):
                process.stdin.write(b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"%s","arguments":%s}}\n'
                                    % (id, WRITER.encode(), document.encode()))
            process.stdin.close()

        sender = threading.Thread(target=send)
        sender.start()
        answers = [json.loads(line) for line in process.stdout]
        sender.join()
    written = sorted(answer["id"] for answer in answers if answer["result"]["structuredContent"]["complete"])
    check("stdio: a thousand calls of 1 MB have as many answers", written == list(range(1, calls + 1)), answers[:3])
    check("stdio: it ends with its input", process.returncode == 0, process.returncode)


def main(meadow):
    large_calls(meadow)
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
        by_token(meadow, f"sqlite:{folder}/token.db")
    return end()


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1])))
