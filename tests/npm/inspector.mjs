// MCP Inspector's command line, a process a request, over every transport.
//
// inspector.mjs MEADOW HTTP LAMBDA: that binary over stdio, a server that runs at the first URL, functions behind the second.
// Prints one line a check and 'N passed, N failed'.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { check, end, steps } from "./steps.mjs";

const [meadow, http, functions] = process.argv.slice(2);
const inspector = join(dirname(fileURLToPath(import.meta.resolve("@modelcontextprotocol/inspector/package.json"))), "clients/launcher/build/index.js");
const folder = mkdtempSync(join(tmpdir(), "meadow-inspector-"));
const transports = {
  http: [`${http}/mcp`, "--transport", "http"],
  lambda: [`${functions}/mcp`, "--transport", "http"],
  // A file, since each request starts the server anew.
  stdio: [meadow, "stdio", "--store", `sqlite:${folder}/meadow.db`],
};

/** What one request of the inspector prints. */
function ask(server, method, ...more) {
  const args = [inspector, "--cli", ...server, "--method", method, ...more];
  return new Promise((done, failed) =>
    execFile(process.execPath, args, { timeout: 60_000, maxBuffer: 1 << 24 }, (error, stdout, stderr) => {
      // A tool's own error is 5, and its result on standard output all the same; 6 is a fault in a schema.
      if (error?.code !== 6 && stdout.trimStart().startsWith("{")) done(JSON.parse(stdout));
      else failed(new Error(`${error?.code}: ${stderr}${stdout}`));
    }),
  );
}

/** The methods of the official clients. */
const client = (server) => ({
  // Strictly: a schema that not every client takes ends it.
  listTools: () => ask(server, "tools/list", "--strict"),
  listResources: () => ask(server, "resources/list"),
  listResourceTemplates: () => ask(server, "resources/templates/list"),
  readResource: ({ uri }) => ask(server, "resources/read", "--uri", uri),
  callTool: ({ name, arguments: args }) => {
    const pairs = Object.entries(args).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
    return ask(server, "tools/call", "--tool-name", name, ...(pairs.length ? ["--tool-arg", ...pairs] : []));
  },
});

// Together: each request is mostly the start of a process.
await Promise.all(Object.entries(transports).map(async ([name, server]) => {
  try {
    await steps(`inspector, ${name}`, client(server), true);
  } catch (error) {
    check(`inspector, ${name}: no client throws`, false, String(error.stack));
  }
}));
rmSync(folder, { recursive: true, force: true });
end();
