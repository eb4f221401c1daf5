#!/usr/bin/env node
// Runs the command where it is installed.
let command;
try {
  command = import.meta.resolve("@polybin/cli/dist/main.js");
} catch {
  process.stderr.write(
    "error[ERR_UNAVAILABLE]: expected the command polybin but it is not installed; run npm install @polybin/cli\n",
  );
  process.exit(1);
}
await import(command);
