"""Sends every event of events/ to the functions and the requests they came from to `meadow serve`; compares the answers.

    events.py --functions FOLDER --local URL [--env NAME=VALUE ...] TOKEN=.. READ_TOKEN=.. LOCAL_TOKEN=.. LOCAL_READ_TOKEN=..

FOLDER holds the bootstraps mcp, model and health, --env is their environment. Both sides keep their models in the same
table, in workspaces of their own: the tokens of the local side begin with LOCAL_. Besides: a function that lacks a
setting does not start, one that an event breaks answers the next, its log has the ids of Lambda and no secret, and
SIGTERM ends it; with --postgres, that the schedule's event exports. Prints what is not as expected, and at the end "N of M as expected".
"""

import argparse
import asyncio
import base64
import http.client
import json
import pathlib
import re
import sys
import tempfile
import urllib.parse

from runtime import Failed, Function, decoded

EVENTS = pathlib.Path(__file__).resolve().parents[2] / "events"
# Of a socket, or of a moment.
LEFT_OUT = ("date", "transfer-encoding", "last-modified")
TIME = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
SETTING = re.compile(rb"start it with --allow-(?:host|origin) |let MEADOW_ALLOWED_(?:HOSTS|ORIGINS) \(the template's \w+\) name ")

# The host of the events that the URL of a function brings. The functions are to know it beside their other hosts; the
# local server, which `tests/run` starts, is sent the first of those.
URL_HOST = "fu7xk3q2wzvd5m4n8r6t9ypbhcaejgls.lambda-url.eu-west-1.on.aws"

checks = []


def check(name, got, wanted):
    """Counts a check, and says where it does not hold."""
    checks.append(got == wanted)
    if got != wanted:
        print(f"{name}: got {got!r}\n    wanted {wanted!r}"[:2000], flush=True)


def filled(text, tokens):
    """An event with tokens and spaces in place of what stands for them."""
    text = re.sub(r"\{\{SPACES (\d+)\}\}", lambda found: " " * int(found[1]), text)
    return re.sub(r"\{\{(\w+)\}\}", lambda found: tokens[found[1]], text)


def request(event):
    """Method, target, headers and body that became the event."""
    context, headers = event["requestContext"], list(event["headers"].items())
    if event.get("version") == "2.0":
        stage = "/" + context["stage"]
        method, path, query = context["http"]["method"], event["rawPath"].removeprefix(stage), event["rawQueryString"]
    else:
        query = urllib.parse.urlencode(event["queryStringParameters"] or {})
        method, path = event["httpMethod"], event["path"]
    if event.get("cookies"):
        headers.append(("cookie", "; ".join(event["cookies"])))
    body = event.get("body") or ""
    body = base64.b64decode(body) if event["isBase64Encoded"] else body.encode()
    target = urllib.parse.quote(path, safe="/%") + ("?" + query if query else "")
    return method, target, headers, body


def local(url, method, target, headers, body):
    """What `meadow serve` answers."""
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc, timeout=60)
    connection.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
    for name, value in headers:
        connection.putheader(name, value)
    if body:
        connection.putheader("content-length", str(len(body)))
    connection.endheaders()
    if body:
        connection.send(body)
    answer = connection.getresponse()
    result = answer.status, [(name.lower(), value) for name, value in answer.getheaders()], answer.read()
    connection.close()
    return result


def comparable(answer):
    status, headers, body = answer
    # Each names its own setting; functions/tests/events holds which.
    text = SETTING.sub(b"SETTING ", body)
    if text != body:
        headers = [(name, str(len(text)) if name.lower() == "content-length" else value) for name, value in headers]
    kept = sorted((name.lower(), value) for name, value in headers if name.lower() not in LEFT_OUT)
    return status, kept, TIME.sub(b"TIME", text)


async def compare(functions, url, tokens, host):
    """Every event, in order. `host` is a name of the local server."""
    mine = {**tokens, **{name.removeprefix("LOCAL_"): value for name, value in tokens.items() if name.startswith("LOCAL_")}}
    for line in (EVENTS / "order.txt").read_text().splitlines():
        name, function, status = line.split()
        text = (EVENTS / f"{name}.json").read_text()
        sides = [json.loads(filled(text, side)) for side in (tokens, mine)]
        for side in sides:
            side["headers"]["x-request-id"] = name
        try:
            got = decoded(await functions[function].invoke(json.dumps(sides[0], ensure_ascii=False).encode()))
        except Failed as failure:
            got = (0, [], str(failure).encode())
        if sides[1]["headers"].get("host") == URL_HOST:
            sides[1]["headers"]["host"] = host
        wanted = local(url, *request(sides[1]))
        check(f"{name}: status", got[0], int(status))
        check(f"{name}: as the local server", comparable(got), comparable(wanted))


async def lives_on(function):
    """An event that no gateway sends breaks lambda_http itself: an error is reported, and the next event is answered."""
    event = json.loads((EVENTS / "healthz.json").read_text())
    broken = {**event, "headers": {**event["headers"], "host": "a b"}}
    try:
        await function.invoke(json.dumps(broken).encode())
        check("a broken event", "an answer", "an error")
    except Failed as failure:
        check("a broken event is reported", "errorType" in json.loads(str(failure)), True)
    status, headers, _ = decoded(await function.invoke(json.dumps(event).encode()))
    check("the event after a broken one", status, 200)
    check("the request id is Lambda's", dict(headers)["x-request-id"], function.request_id)


def logged(text, request_id):
    """The log of a function: JSON lines with the ids of Lambda, and nothing secret."""
    lines = [line for line in text.splitlines() if line.startswith("{")]
    records = [json.loads(line) for line in lines]
    mine = [record for record in records if record.get("request_id") == request_id and record.get("message") == "request"]
    check("the request is in the log", len(mine), 1)
    for record in mine:
        check("its span has the request id", record["span"].get("requestId"), request_id)
        check("and the trace", "Root=1-5bef4de7" in record["span"].get("xrayTraceId", ""), True)
    check("no document or token in the log", [word for word in ("Keep the water", "mdw_") if word in text], [])


async def refuses(path, env, name, word):
    """A function that lacks a setting ends by itself and says why."""
    with tempfile.TemporaryFile("w+") as log:
        function = await Function(path, {**env, name: None}, log).start()
        code = await asyncio.wait_for(function.process.wait(), 10)
        function.server.close()
        log.seek(0)
        text = log.read()
    check(f"without {name}: exit code", code, 1)
    check(f"without {name}: says why", name in text and word in text, True)


async def exports(path, env):
    """The schedule's event: the export copies what there is, then nothing, and a database that is away is an error."""
    event = (EVENTS / "schedule.json").read_bytes()
    with tempfile.TemporaryFile("w+") as log:
        function = await Function(path, env, log).start()
        first, again = [json.loads(await function.invoke(event, 900)) for _ in range(2)]
        check("the export is finished", (first["finished"], first["written"] > 0, first["deleted"] > 0), (True, True, True))
        check("it leaves nothing out", (first["without_document"], first["ahead"], first["unreadable"]), (0, 0, 0))
        check("the next one has nothing to do", (again["finished"], again["written"]), (True, 0))
        try:
            await function.invoke(event, 30)
            check("an export without time", "an answer", "an error")
        except Failed as failure:
            check("an export without time says so", json.loads(str(failure))["errorType"], "NoProgress")
        check("export ends at SIGTERM", await function.stop(), 0)
        log.seek(0)
        check("no document in its log", "Keep the water" in log.read(), False)
        away = await Function(path, {**env, "MEADOW_POSTGRES": "postgres://app@127.0.0.1:9/models"}, log).start()
        try:
            await away.invoke(event, 900)
            check("an export to nowhere", "an answer", "an error")
        except Failed as failure:
            check("an export to nowhere says so", json.loads(str(failure))["errorType"], "DatabaseFailed")
        await away.stop()
    await refuses(path, {**env, "MEADOW_POSTGRES": None}, "MEADOW_POSTGRES_SECRET", "or its URL")
    await refuses(path, env, "MEADOW_TABLE", "DynamoDB")


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--functions", required=True, type=pathlib.Path)
    parser.add_argument("--local", required=True)
    parser.add_argument("--postgres", metavar="URL", help="a database to export to; without one the export is left out")
    parser.add_argument("--env", action="append", default=[])
    parser.add_argument("tokens", nargs="+", metavar="NAME=VALUE")
    options = parser.parse_args()
    env, tokens = (dict(pair.split("=", 1) for pair in pairs) for pairs in (options.env, options.tokens))
    host = env["MEADOW_ALLOWED_HOSTS"]
    env["MEADOW_ALLOWED_HOSTS"] = f"{host},{URL_HOST}"
    with tempfile.TemporaryFile("w+") as log:
        functions = {}
        for name in ("mcp", "model", "health"):
            functions[name] = await Function(str(options.functions / name), env, log).start()
        await compare(functions, options.local, tokens, host)
        await lives_on(functions["health"])
        request_id = functions["health"].request_id
        for name, function in functions.items():
            check(f"{name} ends at SIGTERM", await function.stop(), 0)
        log.seek(0)
        logged(log.read(), request_id)
    for name in ("mcp", "model", "health"):
        path = str(options.functions / name)
        await refuses(path, env, "MEADOW_AUTH", "access mode")
        await refuses(path, env, "MEADOW_TABLE", "DynamoDB")
        await refuses(path, env, "AWS_LAMBDA_FUNCTION_NAME", "meadow serve")
    if options.postgres:
        await exports(str(options.functions / "export"), {**env, "MEADOW_POSTGRES": options.postgres})
    print(f"{sum(checks)} of {len(checks)} as expected")
    return 0 if all(checks) else 1


sys.exit(asyncio.run(main()))
