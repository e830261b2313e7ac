#!/usr/bin/env node
// Runs the program of the package for this platform, and ends as it ends.
"use strict";
const { spawn } = require("node:child_process");
const { isatty } = require("node:tty");
const { name, optionalDependencies, version } = require("./package.json");

const wanted = `${name}-${process.platform}-${process.arch}`;

function program() {
  try {
    return require.resolve(`${wanted}/meadow${process.platform === "win32" ? ".exe" : ""}`);
  } catch {
    const known = Object.keys(optionalDependencies);
    console.error(
      known.includes(wanted)
        ? `meadow: the package ${wanted} is not installed. npm leaves it out with --omit=optional, with a lock file ` +
            `from another platform, or beside another C library than glibc. Try: npm install ${wanted}@${version}`
        : `meadow: there is no package for ${process.platform}-${process.arch}, only ${known.join(", ")}. ` +
            "With Rust, Meadow is built from its source: cargo install --path cli --locked",
    );
    process.exit(3);
  }
}

const child = spawn(program(), process.argv.slice(2), { stdio: "inherit" });
const signals = {
  SIGTERM: () => child.kill("SIGTERM"),
  SIGHUP: () => child.kill("SIGHUP"),
  // A terminal sends Ctrl-C to both, and a second one would mean: at once.
  SIGINT: () => isatty(0) || child.kill("SIGINT"),
};
for (const [signal, pass] of Object.entries(signals)) process.on(signal, pass);

child.on("error", (error) => {
  console.error(`meadow: ${error.message}`);
  process.exit(3);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
