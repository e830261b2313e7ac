// The TypeScript clients of both generations, in every mode, over every transport.
//
// clients.mjs MEADOW HTTP LAMBDA: that binary over stdio, a server that runs at the first URL, functions behind the second.
// Prints one line a check and 'N passed, N failed'.
import * as v2 from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { check, end, steps } from "./steps.mjs";

const [meadow, http, functions] = process.argv.slice(2);
const stdio = { command: meadow, args: ["stdio", "--store", "memory:", "--log", "warn"], stderr: "inherit" };
const LEGACY = "2025-11-25", MODERN = "2026-07-28";
const info = { name: "tests", version: "1" };
const kinds = {
  "sdk 1.x": { Client: Client1, Http: Http1, Stdio: Stdio1, era: undefined },
  "client 2.x, legacy": { Client: v2.Client, Http: v2.StreamableHTTPClientTransport, Stdio: Stdio2, mode: "legacy", era: LEGACY },
  "client 2.x, auto": { Client: v2.Client, Http: v2.StreamableHTTPClientTransport, Stdio: Stdio2, mode: "auto", era: MODERN },
};

for (const [kind, { Client, Http, Stdio, mode, era }] of Object.entries(kinds)) {
  const transports = {
    http: () => new Http(new URL(`${http}/mcp`)),
    lambda: () => new Http(new URL(`${functions}/mcp`)),
    stdio: () => new Stdio(stdio),
  };
  for (const [transport, made] of Object.entries(transports)) {
    const name = `${kind}, ${transport}`;
    const client = new Client(info, mode && { versionNegotiation: { mode } });
    try {
      await client.connect(made());
      if (era) check(`${name}: speaks ${era}`, client.getNegotiatedProtocolVersion() === era, client.getNegotiatedProtocolVersion());
      await steps(name, client);
      await client.close();
    } catch (error) {
      check(`${name}: no client throws`, false, String(error.stack));
    }
  }
}
end();
