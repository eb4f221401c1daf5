import { parentPort, workerData } from "node:worker_threads";
import { ByteWriter } from "./bytes.ts";
import { ColumnPartial } from "./partial/column-partial.ts";
import { addBins, addSums } from "./pass/adding.ts";
import type { ColumnValues, FromThread, Start, ToThread } from "./threads/message.ts";
import { inSlot } from "./threads/slots.ts";

// A thread that adds up columns. Each column has one thread, so the columns of two threads never merge.
const { plans, memory } = workerData as Start;
const port = parentPort!;
const say = (message: FromThread, moved: ArrayBuffer[] = []): void => port.postMessage(message, moved);
const partials = new Map<number, ColumnPartial>();

port.on("message", (message: ToThread) => {
  try {
    if (message === null) tell();
    else {
      for (const values of message) add(values);
      say({ kind: "added", slots: message.map(({ filled }) => filled.slot) });
    }
  } catch (error) {
    say({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
  }
});
say({ kind: "started" });

function add({ column, filled }: ColumnValues): void {
  const partial = partials.get(column) ?? new ColumnPartial(plans[column]!);
  partials.set(column, partial);
  const dense = inSlot(memory, filled);
  addBins(partial, dense);
  addSums(partial, dense);
}

function tell(): void {
  const columns = Array.from(partials, ([column, partial]): [number, Uint8Array<ArrayBuffer>] => {
    const to = new ByteWriter();
    partial.write(to);
    return [column, to.result()];
  });
  say(
    { kind: "sums", columns },
    columns.map(([, { buffer }]) => buffer),
  );
}
