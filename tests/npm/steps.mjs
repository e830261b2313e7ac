// What tests of clients share: how a check is counted, and the steps that every client takes.
//
// A client that shows its model only `content[0].text` must get everything, so that the steps read nothing else.
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

export const MODEL = JSON.parse(readFileSync("models/01-bathtub.json", "utf8"));
const WRITER = "systems_thinking_writer", READER = "systems_thinking_reader";
let passed = 0, failed = 0;

export function check(name, holds, seen) {
  holds ? passed++ : failed++;
  console.log(`${holds ? "ok " : "BAD"} ${name}${holds ? "" : `: ${String(JSON.stringify(seen)).slice(0, 2000)}`}`);
}

/** Prints how many checks held, and ends. */
export function end() {
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed ? 1 : 0);
}

/** The one text of a result, which must hold all that its structured content does. */
export function first({ content, structuredContent }) {
  const { text } = content[0];
  if (content.length !== 1 || (structuredContent !== undefined && !isDeepStrictEqual(JSON.parse(text), structuredContent)))
    throw new Error(`the first text does not hold everything: ${JSON.stringify({ content, structuredContent })}`);
  return text;
}

/**
 * Lists, writes the model to complete, reads it back, meets errors. `client` has the official clients' methods; one that
 * `looksUp` tools refuses by itself those that were not listed.
 */
export async function steps(name, client, looksUp = false) {
  const call = async (tool, args) => {
    const result = await client.callTool({ name: tool, arguments: args });
    return { bad: result.isError === true, text: first(result) };
  };
  const refused = (work) => work.then((result) => `no error, but ${JSON.stringify(result)}`, (error) => error.message);
  const includes = (given, ...wanted) => wanted.every((part) => given.includes(part));

  const tools = (await client.listTools()).tools.map((tool) => tool.name);
  check(`${name}: the tools are listed`, includes(tools, WRITER, READER), tools);
  const resources = (await client.listResources()).resources.map((resource) => resource.uri);
  check(`${name}: the resources are listed`, includes(resources, "guide://systems-thinking", "example://bathtub"), resources);
  const templates = (await client.listResourceTemplates()).resourceTemplates.map((template) => template.uriTemplate);
  check(`${name}: the templates are listed`, includes(templates, "model://{id}"), templates);

  const document = { ...MODEL, system_name: `Of ${name}` };
  const gap = await call(WRITER, { ...document, stocks: [] });
  check(`${name}: a gap is told`, !gap.bad && JSON.parse(gap.text).missing_fields.includes("stocks"), gap);
  const written = await call(WRITER, document);
  check(`${name}: the model is complete`, !written.bad && JSON.parse(written.text).complete === true, written);
  const read = await call(READER, {});
  check(`${name}: the reader gives it back`, !read.bad && includes(read.text, document.system_name), read);
  const latest = await client.readResource({ uri: "model://latest" });
  check(`${name}: the resource is the document`, isDeepStrictEqual(JSON.parse(latest.contents[0].text), document), latest);

  const refusal = await call(WRITER, { version: 1, stocks: {} });
  check(`${name}: a refusal names every fault`, refusal.bad && includes(refusal.text, "/version", "/stocks"), refusal);
  const tool = await refused(client.callTool({ name: "no_such_tool", arguments: {} }));
  check(`${name}: an unknown tool is answered with those there are`, includes(tool, "no_such_tool", ...(looksUp ? [] : [WRITER])), tool);
  const resource = await refused(client.readResource({ uri: "model://no-such-model" }));
  check(`${name}: an unknown resource is an error that names it`, includes(resource, "no-such-model"), resource);
}
