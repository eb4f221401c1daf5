import type { Context } from "../case.ts";
import { generate } from "../generators.ts";
import { countByDefinition } from "../oracle/counts.ts";
import { counterAxis } from "./calls-together.ts";

const REASON: Error = new Error("the caller aborted the call");

/** Checks that the call rejects with the signal's own reason, unless it ended before the signal fired. */
async function endedOr(context: Context, what: string, work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    context.check.ok(`${what}: expected the signal's reason`, error === REASON);
    return false;
  }
}

export async function aborts(context: Context): Promise<void> {
  const { engine, check } = context;
  const samples = generate("u8", "gauss", 2 ** 20 + 1) as Uint8Array;
  const expected = countByDefinition(counterAxis, "u8", samples);
  await using counter = await engine.prepare({ axis: counterAxis });
  const before = { signal: AbortSignal.abort(REASON) };
  for (const [what, work] of Object.entries({
    count: counter.count(samples, before),
    countAll: counter.countAll([samples, samples], before),
    accumulate: counter.accumulate(samples, before),
    take: counter.take(before),
  })) {
    check.ok(`${what}: it was aborted before`, !(await endedOr(context, what, work)));
  }
  let added = 0;
  for (const when of ["at once", "soon", "later"] as const) {
    const controller = new AbortController();
    const { signal } = controller;
    const work = [
      counter.accumulate(samples, { signal }),
      counter.count(samples, { signal }),
      counter.countAll([samples, samples], { signal }),
    ] as const;
    const ended = work.map((one, i) => endedOr(context, `${when}, ${i}`, one));
    if (when === "soon") await Promise.resolve();
    if (when === "later") await new Promise((resolve) => setTimeout(resolve));
    controller.abort(REASON);
    const [wasAdded] = await Promise.all(ended);
    if (wasAdded) added++;
    check.histogram(`${when}: afterwards`, await counter.count(samples), expected);
  }
  await endedOr(context, "a take that was aborted before", counter.take(before));
  await counter.accumulate(samples);
  const total = await counter.take();
  check.same("what was added", total.sum({ flow: true }), (added + 1) * samples.length);
}

export async function closes(context: Context): Promise<void> {
  const { check } = context;
  const engine = await context.open();
  const samples = generate("u8", "gauss", 300_001) as Uint8Array;
  const expected = countByDefinition(counterAxis, "u8", samples);
  const counter = await engine.prepare({ axis: counterAxis });
  const kept = await engine.prepare({ axis: counterAxis });
  await kept.accumulate(samples);
  const running = [
    counter.count(samples).then((one) => check.histogram("count", one, expected)),
    counter.countAll([samples, samples]).then((all) => check.histogram("countAll", all[1]!, expected)),
    counter.accumulate(samples).then(() => check.ok("accumulate", true)),
    kept.take().then((total) => check.histogram("take", total, expected)),
  ];
  await engine.close();
  await Promise.all(running);
  const closed = { code: "ERR_UNAVAILABLE", says: ["open", "closed"] };
  for (const of of [counter, kept]) {
    await check.rejects("count", () => of.count(samples), closed);
    await check.rejects("countSync", async () => of.countSync(samples), closed);
    await check.rejects("countAll", () => of.countAll([samples]), closed);
    await check.rejects("accumulate", () => of.accumulate(samples), closed);
    await check.rejects("take", () => of.take(), closed);
    await of.free();
  }
  await check.rejects("prepare", () => engine.prepare(), closed);
  await check.rejects("allocate", async () => engine.allocate(1), closed);
}

export async function again(context: Context): Promise<void> {
  const { check } = context;
  const engine = await context.open();
  const samples = generate("u8", "gauss", 5001) as Uint8Array;
  const expected = countByDefinition(counterAxis, "u8", samples);
  for (let i = 0; i < 60; i++) {
    const counter = await engine.prepare({ axis: counterAxis });
    await counter.accumulate(samples);
    if (i % 2 === 0) await counter.free();
    // The other counters become garbage together with their counts.
    if (i % 20 === 1) check.histogram(`counter ${i}`, await counter.take(), expected);
  }
  await engine.close();
}
