// Ends a thread while a call of its own is under way: what the call comes to then interests nobody, and the process goes
// on. In a process of its own, which would end with a signal else.
import { Worker } from "node:worker_threads";
import { hosted } from "./backend.ts";

const native = hosted()!;
const code = `
  import("${new URL("./backend.ts", import.meta.url)}").then(async ({ hosted }) => {
    const { counted, countJob } = await import("${new URL("./jobs.ts", import.meta.url)}");
    const native = hosted();
    const context = new native.Context(process.argv.includes("missing") ? 1 : 0, false);
    await Promise.all([counted(context, countJob(new Uint8Array(1000))), native.settle("", "")]);
  });`;
// A call that succeeds, and one of a device that there is not.
for (const argv of [["there"], ["missing"]]) {
  native.closeGate();
  const worker = new Worker(code, { eval: true, argv });
  while (native.waiting() === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  const ended = worker.terminate();
  setTimeout(() => native.openGate(), 50);
  await ended;
}
console.log("goes on");
