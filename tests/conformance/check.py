"""Runs the official conformance suite against servers, and says what they score.

    check.py NODE SUITE SERVER.TRANSPORT=URL ...

NODE runs the suite's script, which stands in its package. A server is `product` or `fixtures`: SERVER-REVISION.yml here is the baseline of what it may
fail, and must fail, of each revision. A baseline may hold only what needs.txt lists, and that only what a baseline holds,
each with the tool, prompt or resource that the suite calls by name and the fixtures have, or the session that it takes.
Prints one line a check, the scores, and 'N passed, N failed'.
"""
import concurrent.futures, json, pathlib, re, subprocess, sys, tempfile, urllib.request

HERE = pathlib.Path(__file__).parent
REVISIONS = ("2026-07-28", "2025-11-25")
ROW = re.compile(r"^[✓✗] (\S+): (\d+) passed, (\d+) failed", re.MULTILINE)
checks = []


def check(name, holds, seen):
    checks.append(holds)
    print(f"{'ok ' if holds else 'BAD'} {name}" + ("" if holds else f":\n{seen}"), flush=True)


def baseline(server, revision):
    return HERE / f"{server}-{revision}.yml"


def entries(file):
    return {line.split("- ")[1] for line in file.read_text().splitlines() if line.startswith("  - ")}


def required(suite, revision):
    """The scenarios that count; the suite runs others besides."""
    text = (pathlib.Path(suite).parents[1] / "requirements" / f"{revision}.yaml").read_text()
    return set(re.findall(r"^  - (\S+)$", text.split("\nserver:\n")[1].split("\nclient:\n")[0], re.MULTILINE))


def run(node, suite, server, url, revision):
    """Whether only what may fail does, the score, and what the suite says against it."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [node, suite, "server", "--url", f"{url}/mcp", "--requirements", revision, "--timeout", "20000", "-o", folder,
             "--expected-failures", baseline(server, revision)],
            capture_output=True, text=True, timeout=300)
        unexpected = list(faults(folder, entries(baseline(server, revision)), required(suite, revision)))
    rows = [(int(good), int(bad)) for name, good, bad in ROW.findall(done.stdout) if name in required(suite, revision)]
    good = sum(row[0] for row in rows)
    # What is in the baseline and passes, it says at the end.
    told = "\n".join([*unexpected, *(done.stdout + done.stderr).splitlines()[-8:]])
    return done.returncode == 0 and good > 0, f"{good}/{good + sum(row[1] for row in rows)}", told


def faults(folder, expected, scored):
    """What failed unexpectedly, and why."""
    for file in sorted(pathlib.Path(folder).glob("server-*/checks.json")):
        scenario = re.sub(r"^server-|-\d{4}-\d\d-\d\dT[\w-]+$", "", file.parent.name)
        for made in json.loads(file.read_text()):
            names = {scenario, f"{scenario}:{made['id']}"}
            if made["status"] in ("FAILURE", "WARNING") and scenario in scored and not names & expected:
                yield f"{scenario}:{made['id']}: {made.get('errorMessage')}"


def names(url):
    """What a server has, as needs.txt writes it."""
    found = set()
    for kind, member, name in (("tool", "tools", "name"), ("prompt", "prompts", "name"), ("resource", "resources", "uri"),
                               ("resource", "resourceTemplates", "uriTemplate")):
        method = "resources/templates/list" if member == "resourceTemplates" else f"{member}/list"
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {}}
        headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
        with urllib.request.urlopen(urllib.request.Request(f"{url}/mcp", json.dumps(request).encode(), headers)) as answer:
            found |= {f"{kind} {item[name]}" for item in json.load(answer)["result"][member]}
    return found


def main(node, suite, *servers):
    lines = [line for line in (HERE / "needs.txt").read_text().splitlines() if line and line[0] != "#"]
    needs = {line.split(None, 1)[0]: line.split(None, 1)[1] for line in lines}
    listed = set()
    for file in sorted(HERE.glob("*.yml")):
        found = entries(file)
        listed |= found
        check(f"{file.name}: holds only what needs.txt lists", found <= needs.keys(), found - needs.keys())
    check("needs.txt: lists only what a baseline holds", needs.keys() <= listed, needs.keys() - listed)

    servers = [(*kind.split("."), url) for kind, url in (server.split("=", 1) for server in servers)]
    there = names(next(url for server, transport, url in servers if (server, transport) == ("fixtures", "http")))
    wrong = {scenario for scenario, need in needs.items() if not need.startswith("a session; ") and need not in there}
    check("needs.txt: what needs no session needs a name that the fixtures have", not wrong, wrong)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        jobs = {(revision, server, transport): pool.submit(run, node, suite, server, url, revision)
                for revision in REVISIONS for server, transport, url in servers}
    scores = []
    for revision in REVISIONS:
        scores.append(f"conformance {revision}:")
        for server, transport, _ in servers:
            holds, score, printed = jobs[revision, server, transport].result()
            check(f"{revision}, {server} over {transport}: only what may fail fails", holds, printed)
            scores[-1] += f" {server} {score} over {transport},"
    print(*(score.rstrip(",") for score in scores), sep="\n")
    print(f"{sum(checks)} passed, {len(checks) - sum(checks)} failed")
    return 0 if all(checks) else 1


sys.exit(main(*sys.argv[1:]))
