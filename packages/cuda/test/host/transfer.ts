// Transfers or shrinks the memory that a call is about to read, collects garbage, and lets the call continue. This runs
// in its own process, which ends with a signal if freed memory is read. Prints the result of the call.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { MessageChannel } from "node:worker_threads";
import { hosted } from "./backend.ts";
import { counted, countJob } from "./jobs.ts";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");
const native = hosted()!;
const [way, holds] = process.argv.slice(2);
native.holdsMemory(holds === "held");

const LENGTH = 8 * 2 ** 20;
const filled = (buffer: ArrayBuffer) => new Uint8Array(buffer).fill(7);

/** The first argument selects how a buffer is taken away. The second selects whether buffers are held or copied. */
const WAYS: Readonly<Record<string, () => { readonly bytes: Uint8Array; take(): void }>> = {
  transfer() {
    const bytes = filled(new ArrayBuffer(LENGTH));
    return { bytes, take: () => void bytes.buffer.transfer() };
  },
  "transfer of another length"() {
    const bytes = filled(new ArrayBuffer(LENGTH));
    return { bytes, take: () => void bytes.buffer.transfer(10) };
  },
  structuredClone() {
    const bytes = filled(new ArrayBuffer(LENGTH));
    return { bytes, take: () => void structuredClone(bytes, { transfer: [bytes.buffer] }) };
  },
  postMessage() {
    const bytes = filled(new ArrayBuffer(LENGTH));
    const { port1, port2 } = new MessageChannel();
    const take = () => {
      port1.postMessage(null, [bytes.buffer as ArrayBuffer]);
      port1.close();
      port2.close();
    };
    return { bytes, take };
  },
  resize() {
    const buffer = new ArrayBuffer(LENGTH, { maxByteLength: LENGTH });
    return { bytes: filled(buffer), take: () => buffer.resize(0) };
  },
  "page-locked memory"() {
    const bytes = filled(native.pinned(LENGTH));
    return { bytes, take: () => void bytes.buffer.transfer() };
  },
};

const { bytes, take } = WAYS[way!]!();
const context = new native.Context(0, false);
native.closeGate();
const call = counted(context, countJob(bytes));
while (native.waiting() === 0) await new Promise((resolve) => setTimeout(resolve, 1));
take();
for (let i = 0; i < 3; i++) {
  collect();
  await new Promise((resolve) => setTimeout(resolve, 10));
}
native.openGate();
const { counts } = await call;
await context.close();
console.log(JSON.stringify({ left: bytes.length, counts: [...counts.subarray(0, 8)] }));
