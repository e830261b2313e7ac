#!/usr/bin/env python3
"""How long a warm server takes for one request at a time, each on a connection of its own.

latency.py http://127.0.0.1:PORT/mcp [TIMES]: median and most, in ms. What a server without streams refuses (GET /mcp) is timed too.
"""
import http.client, json, statistics, sys, time, urllib.parse
import mcpwire as w

url = urllib.parse.urlparse(sys.argv[1])
times = int(sys.argv[2]) if len(sys.argv) > 2 else 100
HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


def timed(what, method, path, body=None):
    spent = []
    for _ in range(times + 1):
        connection = http.client.HTTPConnection(url.hostname, url.port, timeout=30)
        start = time.perf_counter()
        connection.request(method, path, body, HEADERS)
        answer = connection.getresponse()
        # Some servers hold the stream open: the first byte counts there.
        answer.read(1)
        spent.append((time.perf_counter() - start) * 1000)
        connection.close()
    # The first warms it.
    spent = spent[1:]
    print(f"| {what} | {answer.status} | {statistics.median(spent):.1f} | {max(spent):.1f} |")


print("| request | status | median ms | most ms |\n|---|---|---|---|")
timed("initialize", "POST", url.path, json.dumps(w.INIT))
timed("ping", "POST", url.path, json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}))
timed("GET /mcp", "GET", url.path)
