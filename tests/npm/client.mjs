// Agents on the official TypeScript client, as Cherry Studio is one.
//
// client.mjs MEADOW: starts that binary over stdio and over HTTP, on a store and a vault of its own, with an arXiv of this
// machine. Prints one line a check and 'N passed, N failed'.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { arxiv } from "./arxiv.mjs";
import { check, end } from "./steps.mjs";

const BRAKE = "【🛑立即停止调用任何工具，请直接在聊天框输出…】";
const TOOLS = [
  "fetch_framework_template", "generate_5_whys", "get_paper", "list_local_notes", "read_local_note", "save_literature", "save_note",
  "search_arxiv", "systems_thinking_analyze", "systems_thinking_patch", "systems_thinking_reader", "systems_thinking_simulate", "systems_thinking_writer",
];
const meadow = process.argv[2];
const folder = mkdtempSync(join(tmpdir(), "meadow-npm-"));

/** The one thing that Cherry Studio shows a model. */
async function first(client, name, args) {
  const result = await client.callTool({ name, arguments: args });
  return result.content[0].text;
}

/** Everything that stands in a schema of arguments, with where. */
function* schemas(schema, at) {
  yield [at, schema];
  for (const [name, property] of Object.entries(schema.properties ?? {})) yield* schemas(property, `${at}/${name}`);
  if (schema.items) yield* schemas(schema.items, `${at}[]`);
}

async function lists(name, client) {
  // The client refuses the whole list where it does not like one tool.
  const { tools } = await client.listTools();
  check(`${name}: listTools takes the whole list`, JSON.stringify(tools.map((tool) => tool.name)) === JSON.stringify(TOOLS), tools.map((tool) => tool.name));
  const types = ["string", "integer", "number", "boolean", "array", "object"];
  const keys = ["type", "description", "properties", "required", "items", "enum"];
  const bad = tools.flatMap((tool) => [...schemas(tool.inputSchema, tool.name)])
    .filter(([, schema]) => !types.includes(schema.type) || Object.keys(schema).some((key) => !keys.includes(key)) || (schema.type === "array" && !schema.items) || (schema.enum && schema.type !== "string"))
    .map(([at]) => at);
  check(`${name}: every schema of arguments keeps the profile`, bad.length === 0, bad);
  const { prompts } = await client.listPrompts();
  check(`${name}: no prompts are shown`, prompts.length === 0, prompts);
  const instructions = client.getInstructions() ?? "";
  check(`${name}: instructions route the four intents`, ["search_arxiv", "fetch_framework_template", "save_note", "list_local_notes"].every((tool) => instructions.includes(tool)) && instructions.length < 2048, instructions);
  const templates = (await client.listResourceTemplates()).resourceTemplates.map((template) => template.uriTemplate);
  check(`${name}: papers and notes are resources`, ["literature://{source}/{+id}", "note:///{+path}"].every((uri) => templates.includes(uri)), templates);
}

/** search -> framework -> save -> read, with only the first text of each answer. */
async function conversation(name, client, note) {
  const found = await first(client, "search_arxiv", { query: "open source talent" });
  check(`${name}: the search gives titles, links and abstracts`, ["Stocks and flows of open source talent", "Feedback & delay in software teams", "arxiv.org/abs/2101.00001", "come, learn and leave"].every((part) => found.includes(part)), found);
  const paper = await first(client, "get_paper", { ids: "2101.00001" });
  check(`${name}: a paper is found by its id`, paper.includes("We model how contributors come, learn and leave."), paper);
  const whys = JSON.parse(await first(client, "generate_5_whys", { query: "中国开源人才的现状分析", style: "" }));
  check(`${name}: five whys about the subject`, whys.length === 5 && whys.every((why) => why.startsWith("为什么") && why.includes("开源人才")), whys);
  const template = await first(client, "fetch_framework_template", { framework_name: "SWOT", user_input: { subject: "中国开源人才", asked: name } });
  check(`${name}: the first bytes of a template are the brake`, template.startsWith(`${BRAKE}\n`) && !template.endsWith(BRAKE), template);
  const again = await first(client, "fetch_framework_template", { framework_name: "SWOT", user_input: { subject: "中国开源人才", asked: name } });
  check(`${name}: a repetition is whole and ends with the brake`, again === `${template}\n${BRAKE}`, again);
  const text = "# 开源人才 SWOT\n\n- 优势：\\d+ 人\n- [paper](literature://arxiv/2101.00001)\n";
  const saved = await first(client, "save_note", { filename: note, content: text });
  check(`${name}: a note is saved`, saved.includes(note) && saved.includes(join(folder, "vault")), saved);
  check(`${name}: byte for byte`, readFileSync(join(folder, "vault", note), "utf8") === text, saved);
  const taken = await first(client, "save_note", { filename: note, content: "another" });
  check(`${name}: nothing is overwritten unasked`, taken.includes("exists") && readFileSync(join(folder, "vault", note), "utf8") === text, taken);
  const json = note.replace(".md", " data.md");
  await first(client, "save_note", { filename: json, content: { b: 1, a: ["x", { c: null }] } });
  check(`${name}: an object becomes JSON with two spaces`, readFileSync(join(folder, "vault", json), "utf8").trimEnd() === JSON.stringify({ b: 1, a: ["x", { c: null }] }, null, 2), json);
  const listed = await first(client, "list_local_notes", {});
  check(`${name}: it is listed`, listed.includes(note), listed);
  const read = await first(client, "read_local_note", { paths: note });
  check(`${name}: it is read back`, read.includes("优势：\\d+ 人"), read);
  const literature = await first(client, "save_literature", { ids: ["2101.00001"], tags: "open source, cs.SE", folder: "papers" });
  check(`${name}: a paper is saved by its id`, literature.includes("papers/2101.00001"), literature);
  const resource = await client.readResource({ uri: "literature://arxiv/2101.00001" });
  check(`${name}: a paper is a resource`, resource.contents[0].text.includes("Stocks and flows of open source talent"), resource);
  const asResource = await client.readResource({ uri: `note:///${note.split("/").map(encodeURIComponent).join("/")}` });
  check(`${name}: a note is a resource`, asResource.contents[0].text === text && asResource.contents[0].mimeType === "text/markdown", asResource);
  const unknown = await first(client, "fetch_framework_template", { framework_name: "swto" });
  check(`${name}: an unknown framework is answered with the nearest`, unknown.includes("swot"), unknown);
}

async function main() {
  const library = await arxiv();
  // What asks Semantic Scholar meets nobody, as on a plane.
  const env = { ...process.env, MEADOW_ARXIV_URL: library.url, MEADOW_S2_URL: "http://127.0.0.1:1/graph/v1" };
  const options = ["--store", `sqlite:${folder}/meadow.db`, "--vault", join(folder, "vault"), "--log", "warn"];
  const stdio = new Client({ name: "cherry-like", version: "1" });
  await stdio.connect(new StdioClientTransport({ command: meadow, args: ["stdio", ...options], env, stderr: "inherit" }));
  await lists("stdio", stdio);
  await conversation("stdio", stdio, "分析/开源人才.md");
  await stdio.close();

  const server = spawn(meadow, ["serve", "--listen", "127.0.0.1:0", ...options], { env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((done) => server.on("exit", done));
  const [url] = await new Promise((line) => createInterface(server.stdout).once("line", (text) => line([text])));
  const http = new Client({ name: "http", version: "1" });
  await http.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  await lists("http", http);
  await conversation("http", http, "analysis/talent 2026.md");
  await http.close();
  server.kill("SIGTERM");
  check("http: the server ends when asked", (await ended) === 0, server.exitCode);
  library.close();
}

try {
  await main();
} catch (error) {
  check("no client throws", false, String(error.stack));
}
rmSync(folder, { recursive: true, force: true });
end();
