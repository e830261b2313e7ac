#!/usr/bin/env python3
"""What tools cost a model: bytes of tools/list and of typical answers, as a client gets them (the first text block).

sizes.py http://127.0.0.1:PORT/mcp: an empty store with a vault (meadow serve --store memory: --vault FOLDER). Nothing is asked of the network.
"""
import json, pathlib, sys
import mcpwire as w

MODELS = pathlib.Path(__file__).resolve().parents[3] / "models"
http = w.Http(sys.argv[1])
http.init()


def result(method, params):
    _, headers, body = http.post({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    return w.msg(headers, body)["result"]


def size(value):
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return len(text.encode())


def call(what, tool, arguments):
    answer = result("tools/call", {"name": tool, "arguments": arguments})
    print(f"| {tool} | {what} | {size(arguments):,} | {size(answer['content'][0]['text']):,} |")


tools = result("tools/list", {})["tools"]
print(f"tools/list: {size(tools):,} bytes, {len(tools)} tools; by tool: " + ", ".join(f"{t['name']} {size(t):,}" for t in tools))
print("\n| tool | called with | arguments | answer |\n|---|---|---|---|")
model = json.loads((MODELS / "09-sir-epidemic.json").read_text())
name = model["system_name"]
draft = {k: v for k, v in model.items() if k not in ("loops", "leverage_points", "interventions")}
WRITER, PATCH, READER = "systems_thinking_writer", "systems_thinking_patch", "systems_thinking_reader"
call("a draft without loops and leverage points", WRITER, draft)
call("the complete model", WRITER, model)
read = json.loads(result("tools/call", {"name": READER, "arguments": {}})["content"][0]["text"])
model_id, stock = read["model"], model["stocks"][0]["id"]
call("an `expected_revision` that is past", WRITER, {**model, "expected_revision": 1})
call("two members of the wrong type", WRITER, {"version": 1, "stocks": {}})
call("one stock's unit changed", PATCH, {"model": model_id, "operations": [{"op": "replace", "path": f"/stocks/{stock}/unit", "value": "people"}]})
call("a place that is not there", PATCH, {"model": model_id, "operations": [{"op": "remove", "path": "/stocks/nobody"}]})
call("the latest model", READER, {})
for part in ("boundary", "stocks", "loops", "report", "history", "models"):
    call(f"`part` {part}", READER, {"part": part})
call("`compare_with` the revision before", READER, {"compare_with": 2})
call("the model", "systems_thinking_simulate", {"model": model_id})
call("the model", "systems_thinking_analyze", {"model": model_id})
call("a topic", "generate_5_whys", {"topic": "open source talent"})
call("swot", "fetch_framework_template", {"framework_name": "swot"})
call("a note", "save_note", {"filename": "analysis/talent.md", "content": "# Talent\n\nWhat keeps it here.\n" * 20})
call("all", "list_local_notes", {})
call("that note", "read_local_note", {"filename": "analysis/talent.md"})
