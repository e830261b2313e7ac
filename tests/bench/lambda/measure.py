"""Sizes, start, warm times, memory and CPU of the functions against the runtime API of tests/lambda.

    measure.py --functions FOLDER [--starts 20] [--calls 200] [--env NAME=VALUE ...] TOKEN=..

FOLDER holds the bootstraps. Needs a DynamoDB and a token, as tests/bench/lambda/run.sh sets them up. Times depend on
what else the machine does: the least of many starts and the CPU are the fair numbers.
"""

import argparse
import asyncio
import io
import json
import pathlib
import statistics
import sys
import time
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "lambda"))
from runtime import Function, decoded  # noqa: E402

EVENTS = HERE.parents[2] / "events"
# What each function is asked: first after a start, and then again and again.
ASKED = {
    "health": [("GET /healthz", "healthz")],
    "model": [("POST /model", "model-post"), ("GET /model", "model-get")],
    "mcp": [("tools/list", "mcp-tools-list"), ("tools/call writer", "mcp-writer"), ("tools/call reader", "mcp-reader")],
}


def sizes(path):
    """Bytes of a bootstrap, and of its zip."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.write(path, "bootstrap")
    return path.stat().st_size, packed.tell()


def cpu_ms(pid):
    """CPU that the threads of a process have used."""
    tasks = pathlib.Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e6


def memory(pid):
    """Resident memory, now and at most, in MiB."""
    lines = dict(line.split(":", 1) for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines())
    return [int(lines[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM")]


def event(name, token, number=0):
    """An event; every written model is another one."""
    text = (EVENTS / f"{name}.json").read_text().replace("{{TOKEN}}", token)
    if name in ("model-post", "mcp-writer"):
        text = text.replace("Keep the water", f"Keep the water of bath {number}")
    return text.encode()


async def asked(function, name, token, number=0):
    begun = time.perf_counter()
    status, _, body = decoded(await function.invoke(event(name, token, number)))
    took = (time.perf_counter() - begun) * 1e3
    if status >= 300:
        sys.exit(f"{name}: {status} {body[:500]}")
    return took


async def started(path, env, name, token, number):
    """A function after its first answer, and what it took."""
    function = await Function(str(path), env, asyncio.subprocess.DEVNULL).start()
    await function.first_next.wait()
    ready = (time.perf_counter() - function.started) * 1e3
    await asked(function, name, token, number)
    return function, ready, (time.perf_counter() - function.started) * 1e3, cpu_ms(function.process.pid)


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--functions", required=True, type=pathlib.Path)
    parser.add_argument("--starts", type=int, default=20)
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--env", action="append", default=[])
    parser.add_argument("tokens", nargs="+", metavar="TOKEN=..")
    options = parser.parse_args()
    env = dict(pair.split("=", 1) for pair in options.env)
    token = dict(pair.split("=", 1) for pair in options.tokens)["TOKEN"]
    print("| bootstrap | bytes | zip |\n|---|---|---|")
    for name in (*ASKED, "export"):
        size, packed = sizes(options.functions / name)
        print(f"| {name} | {size / 1e6:.2f} MB | {packed / 1e6:.2f} MB |")
    print("\n| function, first event | asks for an event | first answer: least | median | CPU | memory | at most |\n|---|---|---|---|---|---|---|")
    running = {}
    for name, calls in ASKED.items():
        for what, first in calls:
            path, runs = options.functions / name, []
            for number in range(options.starts):
                if name in running:
                    await running[name].stop()
                running[name], *took = await started(path, env, first, token, number)
                runs.append(took)
            ready, answered, cpu = zip(*runs)
            now, most = memory(running[name].process.pid)
            print(f"| {name}, {what} | {min(ready):.1f} ms | {min(answered):.1f} ms | {statistics.median(answered):.1f} ms | {min(cpu):.1f} ms | {now:.1f} MiB | {most:.1f} MiB |", flush=True)
    print("\n| warm | least | median | p99 | CPU a call | memory after | at most |\n|---|---|---|---|---|---|---|")
    for name, calls in ASKED.items():
        for what, first in calls:
            pid = running[name].process.pid
            await asked(running[name], first, token)
            before = cpu_ms(pid)
            took = sorted([await asked(running[name], first, token, number) for number in range(options.calls)])
            cpu = (cpu_ms(pid) - before) / options.calls
            now, most = memory(pid)
            print(f"| {name}, {what} | {took[0]:.2f} ms | {statistics.median(took):.2f} ms | {took[int(len(took) * 0.99)]:.2f} ms | {cpu:.2f} ms | {now:.1f} MiB | {most:.1f} MiB |", flush=True)
    for function in running.values():
        await function.stop()


asyncio.run(main())
