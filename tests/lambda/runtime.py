"""Lambda's runtime API on this machine: starts functions as Lambda does and sends them events.

One process answers one event at a time, so that a Pool of several processes stands for a function that Lambda has
scaled. Everything listens on free ports of 127.0.0.1.
"""

import asyncio
import json
import os
import time

# Bytes of an event and of an answer, at most.
LIMIT = 6_291_556


async def read_head(reader):
    """First line and headers of an HTTP message, or None where the connection ends."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head[:-4].decode("latin-1").split("\r\n")
    return first, [(name.lower(), value.strip()) for name, _, value in (line.partition(":") for line in lines)]


async def read_body(reader, headers):
    """The body of an HTTP message."""
    headers = dict(headers)
    if "chunked" in headers.get("transfer-encoding", "").lower():
        parts = []
        while length := int((await reader.readline()).split(b";")[0], 16):
            parts.append(await reader.readexactly(length))
            await reader.readline()
        while (await reader.readline()).strip():
            pass
        return b"".join(parts)
    return await reader.readexactly(int(headers.get("content-length") or 0))


def message(status, headers, body=b""):
    """An HTTP answer."""
    lines = [f"HTTP/1.1 {status} -", *(f"{name}: {value}" for name, value in headers), f"content-length: {len(body)}"]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


class Failed(Exception):
    """The function reported an error, or ended, instead of answering."""


class Function:
    """A process of a function."""

    def __init__(self, path, env, log):
        self.path, self.log = path, log
        # Nothing of this machine's own configuration, as in Lambda.
        self.env = {
            "AWS_LAMBDA_FUNCTION_NAME": os.path.basename(path),
            "AWS_LAMBDA_FUNCTION_VERSION": "1",
            "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "256",
            "AWS_REGION": "eu-west-1",
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_SESSION_TOKEN": "test",
            **env,
        }
        self.events = asyncio.Queue()
        self.answers = {}
        self.connections = set()
        self.count = 0

    async def start(self):
        """Starts the process; `first_next` is set once it asks for an event."""
        self.first_next = asyncio.Event()
        self.server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=1 << 20)
        port = self.server.sockets[0].getsockname()[1]
        env = {**self.env, "AWS_LAMBDA_RUNTIME_API": f"127.0.0.1:{port}"}
        env = {name: value for name, value in env.items() if value is not None}
        self.started = time.perf_counter()
        self.process = await asyncio.create_subprocess_exec(self.path, env=env, stdout=self.log, stderr=self.log)
        return self

    async def invoke(self, event, seconds=30):
        """What the function answers to the event, as bytes; the ids of the event are in `request_id`."""
        self.count += 1
        self.request_id = f"{self.count:08x}-0000-4000-8000-{os.getpid():012x}"
        answer = self.answers[self.request_id] = asyncio.get_running_loop().create_future()
        self.events.put_nowait((self.request_id, event, seconds))
        ended = asyncio.ensure_future(self.process.wait())
        try:
            await asyncio.wait({answer, ended}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            ended.cancel()
            self.answers.pop(self.request_id)
        if not answer.done():
            raise Failed(f"the function gave no answer; exit code {self.process.returncode}")
        return answer.result()

    async def stop(self):
        """Ends the process as Lambda does; its exit code."""
        if self.process.returncode is None:
            self.process.terminate()
        code = await asyncio.wait_for(self.process.wait(), 10)
        self.server.close()
        for connection in self.connections:
            connection.cancel()
        await asyncio.gather(*self.connections)
        return code

    async def _serve(self, reader, writer):
        self.connections.add(asyncio.current_task())
        try:
            while head := await read_head(reader):
                (method, path, _), headers = head[0].split(" "), head[1]
                body = await read_body(reader, headers)
                writer.write(await self._answer(method, path, body))
                await writer.drain()
        except (ConnectionError, asyncio.CancelledError):
            pass  # the process ended
        finally:
            writer.close()

    async def _answer(self, method, path, body):
        path = path.removeprefix("/2018-06-01/runtime/")
        if (method, path) == ("GET", "invocation/next"):
            self.first_next.set()
            request_id, event, seconds = await self.events.get()
            return message(200, [
                ("lambda-runtime-aws-request-id", request_id),
                ("lambda-runtime-deadline-ms", int((time.time() + seconds) * 1000)),
                ("lambda-runtime-invoked-function-arn", "arn:aws:lambda:eu-west-1:123456789012:function:test"),
                ("lambda-runtime-trace-id", "Root=1-5bef4de7-ad49b0e87f6ef6c87fc2e700;Parent=9a9197af755a6419;Sampled=1"),
                ("content-type", "application/json"),
            ], event)
        match path.split("/"):
            case ["invocation", request_id, kind] if request_id in self.answers and kind in ("response", "error"):
                answer = self.answers[request_id]
                if not answer.done():
                    if kind == "response" and len(body) <= LIMIT:
                        answer.set_result(body)
                    elif kind == "response":
                        answer.set_exception(Failed(f"the answer has {len(body)} bytes, more than {LIMIT}"))
                    else:
                        answer.set_exception(Failed(body.decode("utf-8", "replace")))
                return message(202, [])
        return message(404, [])


class Pool:
    """Several processes of one function, each with one event at a time."""

    def __init__(self, path, env, log, size):
        self.functions = [Function(path, env, log) for _ in range(size)]
        self.idle = asyncio.LifoQueue()

    async def start(self):
        for function in self.functions:
            self.idle.put_nowait(await function.start())
        return self

    async def invoke(self, event):
        function = await self.idle.get()
        try:
            return await function.invoke(event)
        finally:
            self.idle.put_nowait(function)

    async def stop(self):
        return [await function.stop() for function in self.functions]


def decoded(answer):
    """Status, headers and body of an answer to API Gateway."""
    import base64

    answer = json.loads(answer)
    headers = list((answer.get("headers") or {}).items())
    for name, values in (answer.get("multiValueHeaders") or {}).items():
        headers += [(name, value) for value in values]
    headers += [("set-cookie", cookie) for cookie in answer.get("cookies") or []]
    body = answer.get("body") or ""
    body = base64.b64decode(body) if answer.get("isBase64Encoded") else body.encode()
    return answer["statusCode"], headers, body
