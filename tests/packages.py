"""The files that packaging/build made, each installed as its users do, with nothing of this machine but Python or Node.

packages.py FOLDER TOOLS NODE NPM: FOLDER has the files, TOOLS is a Python environment with maturin, skillsaw and uv, NODE a
program with its npm, NPM a folder with the mcpb package beside tests/npm/bundle.mjs. Prints one line a check and 'N passed,
N failed'. Needs the package `mcp`.
"""
import asyncio, base64, hashlib, http.server, io, json, os, pathlib, pty, shutil, signal, subprocess, sys, tarfile, tempfile, threading, zipfile
from email.parser import Parser

import mcp
from steps import check, end, steps

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = ROOT / "packaging" / "build"
MODEL = json.loads((ROOT / "models" / "01-bathtub.json").read_text())
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "packages.py", "version": "1"}}


class Place:
    """A home of its own, an empty folder to start things in, and a PATH with no program but those given."""

    def __init__(self, folder, programs={}):
        self.home, self.work, self.path = folder / "home", folder / "work", folder / "path"
        for made in (self.home, self.work, self.path):
            made.mkdir(parents=True)
        for name, program in programs.items():
            (self.path / name).symlink_to(program)
        self.env = {"HOME": str(self.home), "PATH": str(self.path)}

    def run(self, *command, env={}, folder=None):
        command = [str(word) for word in command]
        return subprocess.run(command, env=self.env | env, cwd=folder or self.work, stdin=subprocess.DEVNULL, capture_output=True, text=True)

    def succeeds(self, name, *command, **options):
        done = self.run(*command, **options)
        check(name, done.returncode == 0, done)
        return done

    async def session(self, name, command, arguments, env={}, then=None):
        """An agent that writes a model and reads it back; `then` is what else it does."""
        server = mcp.StdioServerParameters(command=str(command), args=[str(word) for word in arguments], env=self.env | env, cwd=self.work)
        try:
            async with asyncio.timeout(120), mcp.Client(server) as client:
                await steps(name, client, MODEL)
                if then:
                    await then(client)
        except Exception as error:
            check(f"{name}: the client does not throw", False, error)


def tells_version(name, done, version):
    check(f"{name}: it is the version of the workspace", done.stdout == f"meadow {version}\n", done)


# --- the wheel -----------------------------------------------------------------------------------------------------


async def wheel(folder, tools, scratch, server):
    (file,) = folder.glob("*.whl")
    with zipfile.ZipFile(file) as archive:
        (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = Parser().parsestr(archive.read(metadata).decode())
    package = entry(server, "pypi")
    check("wheel: it has the name and version that server.json gives", (metadata["Name"], metadata["Version"]) == (package["identifier"], package["version"]), metadata.items())
    check("wheel: its page proves whose it is", f"mcp-name: {server['name']}\n" in metadata.get_payload(), metadata.get_payload())
    check("wheel: PyPI takes its platform", "-py3-none-linux_" not in file.name, file.name)

    place = Place(scratch / "wheel")
    place.succeeds("wheel: a fresh environment", sys.executable, "-m", "venv", "venv")
    venv = place.work / "venv" / "bin"
    place.succeeds("wheel: pip installs it", venv / "python", "-m", "pip", "install", "--no-index", file)
    for program in ("meadow", "meadow-mcp"):
        tells_version(f"wheel, {program}", place.run(venv / program, "--version"), server["version"])
    await place.session("wheel", venv / "meadow", ["stdio"])
    check("wheel: models are kept in the data folder", (place.home / ".local/share/meadow/meadow.db").exists(), list(place.home.rglob("*")))

    # What uv itself wants of a system, to start a script.
    place = Place(scratch / "uvx", {name: shutil.which(name) for name in ("sh", "realpath", "dirname")})
    uvx = ["--offline", "--no-config", "--no-index", "--find-links", folder, "--python", sys.executable]
    await place.session("uvx", tools / "bin" / package["runtimeHint"], [*uvx, f"{package['identifier']}@{package['version']}", *arguments(package)])


def entry(server, kind):
    (found,) = (package for package in server["packages"] if package["registryType"] == kind)
    return found


def arguments(package):
    return [argument["value"] for argument in package["packageArguments"]]


# --- npm -----------------------------------------------------------------------------------------------------------


def archives(folder):
    """The npm packages: name -> (file, package.json)."""
    found = {}
    for file in folder.glob("*.tgz"):
        with tarfile.open(file) as archive:
            package = json.load(archive.extractfile("package/package.json"))
        found[package["name"]] = (file, package)
    return found


def npm_registry(packages):
    """A registry on a free port, which has these packages and no other; the server."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            name = self.path.strip("/")
            files = {file.name: file for file, _ in packages.values()}
            if name in files:
                return self.give(files[name].read_bytes())
            if name not in packages:
                return self.send_error(404)
            file, package = packages[name]
            integrity = "sha512-" + base64.b64encode(hashlib.sha512(file.read_bytes()).digest()).decode()
            url = f"http://127.0.0.1:{self.server.server_port}/{file.name}"
            version = {**package, "dist": {"tarball": url, "integrity": integrity}}
            self.give(json.dumps({"name": name, "dist-tags": {"latest": package["version"]}, "versions": {package["version"]: version}}).encode())

        def give(self, body):
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def npm_cli(node):
    """The npm that came with this Node."""
    return pathlib.Path(node).parents[1] / "lib/node_modules/npm/bin/npm-cli.js"


def npm_options(registry):
    return [f"--registry=http://127.0.0.1:{registry.server_port}/", "--no-audit", "--no-fund", "--no-update-notifier"]


def nodes(newer):
    """The Node that PyPI has, and the one of the PATH where there is one: version -> program."""
    found = {}
    for program in (newer, shutil.which("node")):
        if program:
            found[subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.strip()] = program
    print("Node:", ", ".join(found), flush=True)
    return found


async def npm(folder, newer, scratch, server):
    packages = archives(folder)
    package = entry(server, "npm")
    launcher = packages[package["identifier"]][1]
    check("npm: all packages have the version", {made["version"] for _, made in packages.values()} == {server["version"]} == {package["version"]}, packages)
    check("npm: the launcher proves whose it is", launcher["mcpName"] == server["name"], launcher)
    platforms = launcher["optionalDependencies"]
    check("npm: the launcher asks for its platforms in its own version", platforms == dict.fromkeys(packages.keys() - {launcher["name"]}, server["version"]), launcher)

    registry = npm_registry(packages)
    programs = {"sh": "/bin/sh", "node": newer}
    place = Place(scratch / "npm", programs)
    options = npm_options(registry)

    def installed(name, *more):
        made = place.work / name
        made.mkdir()
        (made / "package.json").write_text("{}")
        place.succeeds(f"npm, {name}: it is installed", newer, npm_cli(newer), "install", launcher["name"], "--ignore-scripts", *options, *more, folder=made)
        return made / "node_modules"

    whole = installed("whole")
    (program,) = whole.glob("meadow-mcp-*/meadow")
    for version, node in nodes(newer).items():
        with tempfile.TemporaryDirectory(dir=scratch) as fresh:
            at = Place(pathlib.Path(fresh), programs | {"node": node})
            name, command = f"npm, Node {version}", whole / ".bin" / "meadow"
            tells_version(name, at.run(command, "--version"), server["version"])
            await at.session(name, command, ["stdio"])
            passes_on(name, at, command, program)
            ctrl_c(name, at, node, whole, program.parent.name)

    at = Place(scratch / "npx", programs)
    await at.session("npx", newer, [npm_cli(newer).with_name("npx-cli.js"), "--yes", *options, f"{launcher['name']}@{package['version']}", *arguments(package)])

    bare = installed("without its platform", "--omit=optional")
    done = place.run(bare / ".bin" / "meadow", "stdio")
    wanted = program.parent.name
    check("npm: without the package of the platform it says which to install", done.returncode == 3 and f"npm install {wanted}@{server['version']}" in done.stderr, done)
    check("npm: and says it where nobody reads it as MCP", done.stdout == "", done)
    (place.work / "elsewhere.js").write_text("Object.defineProperty(process, 'platform', { value: 'haiku' });")
    done = place.run(newer, "--require", "./elsewhere.js", whole / launcher["name"] / "launcher.js", "stdio")
    check("npm: on a platform without a package it says which there are", done.returncode == 3 and "haiku-" in done.stderr and wanted in done.stderr, done)
    registry.shutdown()


def gathered(folder, tools, newer, scratch, server):
    """The files of two machines in one folder: the launcher and server.json name both, and npm takes what fits."""
    both = scratch / "both"
    both.mkdir()
    (ours,) = archives(folder).keys() - {entry(server, "npm")["identifier"]}
    other = {**archives(folder)[ours][1], "name": "meadow-mcp-aix-ppc64", "os": ["aix"], "cpu": ["ppc64"]}
    with tarfile.open(both / f"{other['name']}-{server['version']}.tgz", "w:gz") as archive:
        text = json.dumps(other).encode()
        package = tarfile.TarInfo("package/package.json")
        package.size = len(text)
        archive.addfile(package, io.BytesIO(text))
    bundle = both / f"meadow-{server['version']}-aix-ppc64.mcpb"
    bundle.write_bytes(b"what another machine built")
    subprocess.run([tools / "bin" / "python", BUILD, both], check=True)

    packages = archives(both)
    launcher = packages[entry(server, "npm")["identifier"]][1]
    check("both: the launcher names both platforms", launcher["optionalDependencies"].keys() == {ours, other["name"]}, launcher)
    hashes = [package["fileSha256"] for package in json.loads((both / "server.json").read_text())["packages"] if package["registryType"] == "mcpb"]
    check("both: server.json has both bundles", len(hashes) == 2 and hashlib.sha256(bundle.read_bytes()).hexdigest() in hashes, hashes)
    registry = npm_registry(packages)
    place = Place(scratch / "npm of both", {"sh": "/bin/sh", "node": newer})
    (place.work / "package.json").write_text("{}")
    place.succeeds("both: npm installs the launcher", newer, npm_cli(newer), "install", launcher["name"], *npm_options(registry))
    registry.shutdown()
    installed = {path.name for path in (place.work / "node_modules").glob("meadow-*")}
    check("both: with the one platform that fits", installed == {launcher["name"], ours}, installed)


def passes_on(name, place, command, program):
    """What goes in and what comes out of the launcher is the program's."""
    (place.work / "empty.json").write_text("{}")
    for words in (["check", "no-such-file.json"], ["check", "empty.json"], ["no-such-command"], ["--help"]):
        through, direct = place.run(command, *words), place.run(program, *words)
        seen = (through.returncode, through.stdout, through.stderr)
        check(f"{name}: {' '.join(words)} ends with {direct.returncode}", seen == (direct.returncode, direct.stdout, direct.stderr), through)
    for sent in (signal.SIGTERM, signal.SIGINT):
        launcher, child = started(place, command)
        launcher.send_signal(sent)
        check(f"{name}: {sent.name} ends both", launcher.wait(60) == 0 and not os.path.exists(f"/proc/{child}"), launcher.returncode)
        launcher.communicate()
    launcher, child = started(place, command)
    os.kill(child, signal.SIGKILL)
    check(f"{name}: a killed program is told", launcher.wait(60) == -signal.SIGKILL, launcher.returncode)
    launcher.communicate()


# In the place of the program.
TELLS_SIGNALS = f"""#!{sys.executable}
import os, signal
signal.signal(signal.SIGINT, lambda *_: os.write(1, b"INT"))
signal.signal(signal.SIGTERM, lambda *_: exit(7))
os.write(1, b"ready")
while True:
    signal.pause()
"""


def ctrl_c(name, place, node, modules, platform):
    """A terminal sends Ctrl-C to the launcher and to its program, which must see it once: a second one means at once."""
    shutil.copytree(modules / "meadow-mcp", place.work / "node_modules" / "meadow-mcp")
    (place.work / "node_modules" / platform).mkdir()
    program = place.work / "node_modules" / platform / "meadow"
    program.write_text(TELLS_SIGNALS)
    program.chmod(0o755)
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(node, [node, place.work / "node_modules" / "meadow-mcp" / "launcher.js"], place.env)
    seen = read_until(terminal, b"ready")
    os.write(terminal, b"\x03")
    seen += read_until(terminal, b"INT")
    os.kill(pid, signal.SIGTERM)
    seen += read_until(terminal, None)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    os.close(terminal)
    check(f"{name}: Ctrl-C counts once", (seen.count(b"INT"), code) == (1, 7), (seen, code))


def read_until(terminal, word):
    """What comes from there up to this word, or to its end."""
    seen = b""
    while word is None or word not in seen:
        try:
            seen += os.read(terminal, 1000)
        except OSError:  # So Linux says that everybody has closed it.
            break
    return seen


def started(place, command):
    """The launcher and the pid of its program, which has answered once."""
    launcher = subprocess.Popen([command, "stdio"], env=place.env, cwd=place.work, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    launcher.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}) + "\n")
    launcher.stdin.flush()
    launcher.stdout.readline()
    (child,) = (pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if parent(pid) == launcher.pid)
    return launcher, child


def parent(pid):
    try:
        return int(pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return None


# --- the bundle ----------------------------------------------------------------------------------------------------


async def bundle(folder, node, modules, scratch, server):
    (file,) = folder.glob("*.mcpb")
    cli = modules / "node_modules/@anthropic-ai/mcpb/dist/cli/cli.js"
    place = Place(scratch / "unpack", {"node": node})
    place.succeeds("bundle: it is unpacked", node, cli, "unpack", file, "meadow")
    unpacked = place.work / "meadow"
    place.succeeds("bundle: its manifest is valid", node, cli, "validate", unpacked / "manifest.json")
    manifest = json.loads((unpacked / "manifest.json").read_text())
    check("bundle: it has the version", manifest["version"] == server["version"], manifest)
    program = unpacked / manifest["server"]["entry_point"]
    check("bundle: its program can be started", os.access(program, os.X_OK), oct(program.stat().st_mode))
    tells_version("bundle", place.run(program, "--version"), server["version"])

    async def same_tools(client):
        told = [(tool.name, tool.title) for tool in (await client.list_tools()).tools]
        check("bundle: its manifest names the tools that there are", [(tool["name"], tool["description"]) for tool in manifest["tools"]] == told, told)

    async def saves(client, name, vault):
        await client.call_tool("save_note", {"filename": "trial.md", "content": "Seen."})
        check(f"{name}: notes go to {vault.name}", (vault / "trial.md").is_file(), list(vault.rglob("*")))

    for name, filled in (("nothing filled in", {}), ("fields left empty", {"vault": "", "contact": "", "s2_key": ""}), ("all filled in", None)):
        at = Place(scratch / name)
        vault = at.home / ".local/share/meadow/notes"
        if filled is None:
            vault = at.home / "My vault"
            filled = {"vault": str(vault), "contact": "me@example.org", "s2_key": "key"}
        name = f"bundle, {name}"
        config = json.loads(place.succeeds(f"{name}: a client knows what to start", node, modules / "bundle.mjs", unpacked, json.dumps(filled)).stdout)
        check(f"{name}: no variable is left over", "${" not in json.dumps(config), config)

        async def then(client):
            await same_tools(client)
            await saves(client, name, vault)

        await at.session(name, config["command"], config["args"], config["env"], then)
        check(f"{name}: nothing else is made where it is started", not list(at.work.iterdir()), list(at.work.iterdir()))


# --- server.json ---------------------------------------------------------------------------------------------------


def registry(folder, tools, scratch, server):
    """By the schema of the MCP registry and its rules for publishers, which skillsaw has."""
    place = Place(scratch / "registry")
    launcher = archives(folder)[entry(server, "npm")["identifier"]][1]

    def judged(name, server):
        made = place.work / name
        made.mkdir()
        (made / "server.json").write_text(json.dumps(server))
        (made / "package.json").write_text(json.dumps(launcher))
        return place.run(tools / "bin" / "skillsaw", "lint", "--type", "mcp-registry", "--strict", made)

    done = judged("as it is", server)
    check("server.json: the registry's rules hold", done.returncode == 0, done)
    for name, wrong in {
        "too long a description": {"description": "x" * 101},
        "another name than the launcher's": {"name": "io.github.somebody/else"},
        "a bundle without its hash": {"packages": [{key: value for key, value in package.items() if key != "fileSha256"} for package in server["packages"]]},
    }.items():
        done = judged(name, {**server, **wrong})
        check(f"server.json: {name} would be seen", done.returncode == 1, done)

    (file,) = folder.glob("*.mcpb")
    package = entry(server, "mcpb")
    check("server.json: the bundle's hash is the file's", package["fileSha256"] == hashlib.sha256(file.read_bytes()).hexdigest(), package)
    check("server.json: and its URL is the file's", package["identifier"] == f"{server['repository']['url']}/releases/download/v{server['version']}/{file.name}", package)
    with zipfile.ZipFile(file) as archive:
        program = archive.read(json.loads(archive.read("manifest.json"))["server"]["entry_point"])
    for package in server["packages"]:
        for variable in package.get("environmentVariables", []):
            check(f"server.json, {package['registryType']}: the program knows {variable['name']}", variable["name"].encode() in program, variable)


async def main(folder, tools, node, modules):
    folder, tools, modules = pathlib.Path(folder).absolute(), pathlib.Path(tools), pathlib.Path(modules)
    server = json.loads((folder / "server.json").read_text())
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        await wheel(folder, tools, scratch, server)
        await npm(folder, node, scratch, server)
        gathered(folder, tools, node, scratch, server)
        await bundle(folder, node, modules, scratch, server)
        registry(folder, tools, scratch, server)
    return end()


if __name__ == "__main__":
    sys.exit(asyncio.run(main(*sys.argv[1:])))
