"""A small API Gateway: turns HTTP on one port into events of an HTTP API for functions, and their answers back.

    front.py --mcp BOOTSTRAP --model BOOTSTRAP [--token TOKEN] [--instances N] [NAME=VALUE ...]

/mcp goes to the first, everything else to the second; NAME=VALUE is their environment. Requests without Authorization
get the token. Prints its URL on standard output and ends when its standard input does; logs of the functions go to
standard error.
"""

import argparse
import asyncio
import base64
import json
import sys
import time

from runtime import LIMIT, Failed, Pool, decoded, message, read_body, read_head


def event(method, target, headers, body):
    """The event that an HTTP API makes of a request (payload format 2.0, stage $default)."""
    path, _, query = target.partition("?")
    joined, cookies = {}, []
    for name, value in headers:
        if name == "cookie":
            cookies += value.split("; ")
        else:
            joined[name] = f"{joined[name]},{value}" if name in joined else value
    joined |= {"x-forwarded-for": "127.0.0.1", "x-forwarded-proto": "https", "x-forwarded-port": "443"}
    now = time.time()
    made = {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": path,
        "rawQueryString": query,
        "headers": joined,
        "requestContext": {
            "accountId": "123456789012",
            "apiId": "local",
            "domainName": joined.get("host", "localhost"),
            "domainPrefix": "local",
            "http": {
                "method": method,
                "path": path,
                "protocol": "HTTP/1.1",
                "sourceIp": "127.0.0.1",
                "userAgent": joined.get("user-agent", ""),
            },
            "requestId": f"{now:.6f}",
            "routeKey": "$default",
            "stage": "$default",
            "time": time.strftime("%d/%b/%Y:%H:%M:%S +0000", time.gmtime(now)),
            "timeEpoch": int(now * 1000),
        },
        "isBase64Encoded": False,
    }
    if cookies:
        made["cookies"] = cookies
    if body:
        try:
            made["body"] = body.decode()
        except UnicodeDecodeError:
            made |= {"body": base64.b64encode(body).decode(), "isBase64Encoded": True}
    return json.dumps(made, ensure_ascii=False).encode()


class Front:
    def __init__(self, mcp, model, token):
        self.mcp, self.model, self.token = mcp, model, token

    async def serve(self, reader, writer):
        """One connection."""
        try:
            while head := await read_head(reader):
                (method, target, _), headers = head[0].split(" "), head[1]
                if ("expect", "100-continue") in headers:
                    writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
                body = await read_body(reader, headers)
                writer.write(await self.answer(method, target, headers, body))
                await writer.drain()
                if ("connection", "close") in headers:
                    break
        except (ConnectionError, asyncio.CancelledError):
            pass  # the client went away, or the front ends
        finally:
            writer.close()

    async def answer(self, method, target, headers, body):
        """What is answered to one request."""
        if self.token and not any(name == "authorization" for name, _ in headers):
            headers = [*headers, ("authorization", f"Bearer {self.token}")]
        sent = event(method, target, headers, body)
        if len(sent) > LIMIT:
            return refusal(413, "Request Entity Too Large")
        pool = self.mcp if target.partition("?")[0].rstrip("/") == "/mcp" else self.model
        try:
            status, headers, body = decoded(await pool.invoke(sent))
        except Failed as failure:
            print(json.dumps({"front": str(failure)}), file=sys.stderr, flush=True)
            return refusal(500, "Internal Server Error")
        # The front makes its own, as a gateway does.
        headers = [(name, value) for name, value in headers if name not in ("content-length", "connection")]
        return message(status, headers, b"" if method == "HEAD" else body)


def refusal(status, text):
    """What the gateway says by itself."""
    return message(status, [("content-type", "application/json")], json.dumps({"message": text}).encode())


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mcp", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--token")
    parser.add_argument("--instances", type=int, default=4)
    parser.add_argument("env", nargs="*", metavar="NAME=VALUE")
    options = parser.parse_args()
    env = dict(pair.split("=", 1) for pair in options.env)
    pools = [await Pool(path, env, sys.stderr, options.instances).start() for path in (options.mcp, options.model)]
    front = Front(*pools, options.token)
    server = await asyncio.start_server(front.serve, "127.0.0.1", 0, limit=1 << 20)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    server.close()
    codes = [code for pool in pools for code in await pool.stop()]
    if any(codes):
        sys.exit(f"functions ended with {codes}")


asyncio.run(main())
