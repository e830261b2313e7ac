// What a client starts for an unpacked MCP bundle, by the code that Claude Desktop's own package has for it.
//
// bundle.mjs FOLDER SETTINGS: prints the command, its arguments and environment as JSON. SETTINGS is what a user filled in.
import { getMcpConfigForManifest } from "@anthropic-ai/mcpb";
import { readFileSync } from "node:fs";
import { join, sep } from "node:path";

const [extensionPath, settings] = process.argv.slice(2);
const manifest = JSON.parse(readFileSync(join(extensionPath, "manifest.json"), "utf8"));
const started = await getMcpConfigForManifest({ manifest, extensionPath, systemDirs: {}, userConfig: JSON.parse(settings), pathSeparator: sep });
console.log(JSON.stringify(started));
