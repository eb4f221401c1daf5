// Ends a thread while one of its calls is under way. No caller receives the result, and the process must continue. This
// runs in its own process, because an error would end it with a signal.
import { Worker } from "node:worker_threads";
import { hosted } from "./backend.ts";

const native = hosted()!;
const code = `
  import("${new URL("./backend.ts", import.meta.url)}").then(async ({ hosted }) => {
    const { counted, countJob } = await import("${new URL("./jobs.ts", import.meta.url)}");
    const native = hosted();
    const context = new native.Context(process.argv.includes("missing") ? 1 : 0, false);
    const job = countJob(new Uint8Array(1000));
    const at = process.argv.includes("once") ? context.launch(context.prepare(job), new Uint8Array(10), 10) : null;
    await Promise.all([at ?? counted(context, job), native.settle("", "")]);
  });`;
// A call that succeeds, and a call on a device that does not exist. One runs on a thread of Node's pool, the other on
// the context's thread.
for (const argv of [["there"], ["missing"], ["there", "once"], ["missing", "once"]]) {
  native.closeGate();
  const worker = new Worker(code, { eval: true, argv });
  while (native.waiting() === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  const ended = worker.terminate();
  setTimeout(() => native.openGate(), 50);
  await ended;
}
console.log("goes on");
