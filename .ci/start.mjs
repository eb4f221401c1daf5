// `npm start -- ARGS`: sets up this checkout if necessary and runs its polybin command. Prints nothing of its own on stdout.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import { setUp } from "./setup.mjs";
import { projectNode, root } from "./workspace.mjs";

const main = join(root, "apps/cli/dist/main.js");

const fail = (message) => {
  process.stderr.write(`${message.trimEnd()}\n`);
  process.exit(1);
};

const problem = await setUp();
if (problem) fail(`${problem.trimEnd()}\npolybin: the set-up failed (see above)`);

let node;
try {
  node = projectNode();
} catch (error) {
  fail(`polybin: ${error.message}`);
}

// npm runs scripts in the root; paths in ARGS are relative to the folder that npm was called in.
if (process.env.npm_lifecycle_event === "start" && process.env.INIT_CWD) process.chdir(process.env.INIT_CWD);

const given = process.argv.slice(2);
// Without ARGS the command would read standard input, if that is a pipe.
const args = [main, ...(given.length === 0 ? ["demo"] : given)];
if (process.execve && process.platform !== "win32") {
  // The process becomes the command, with the command's own signals, exit code and streams.
  process.execve(node, [node, ...args], process.env);
}

const child = spawn(node, args, { stdio: "inherit" });
const forwarded = ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"];
for (const signal of forwarded) {
  // The terminal sends ^C and ^\ to the child itself.
  const fromTerminal = process.stdin.isTTY && (signal === "SIGINT" || signal === "SIGQUIT");
  process.on(signal, () => fromTerminal || child.kill(signal));
}
child.on("error", (error) => fail(`polybin: ${error.message}`));
child.on("close", (code, signal) => {
  if (!signal) process.exit(code);
  for (const name of forwarded) process.removeAllListeners(name);
  process.kill(process.pid, signal);
  // Only a signal that does not end this process gets here.
  setTimeout(() => process.exit(128 + constants.signals[signal]), 100);
});
