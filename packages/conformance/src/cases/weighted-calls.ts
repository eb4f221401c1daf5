import {
  type Engine,
  type FeatureTableInit,
  openEngine,
  type SumsOptions,
  type Weights,
} from "@polybin/core";
import { limits, SLUGS } from "@polybin/core/backend";
import type { Context, Topic } from "../case.ts";
import { describeError } from "../checker.ts";
import { documentWeights, featureValues, packedValues, SPREADS, sumByDefinition } from "../weighting.ts";

/** Cases of the life of a table (created, used, aborted, freed), and of plain histograms with weights. */
export const weightedCalls: Topic = ({ weighted }) =>
  weighted.length === 0
    ? []
    : [
        { topic: "weighted", name: "wrong tables are refused", run: wrongTables },
        { topic: "weighted", name: "wrong weights and options are refused", run: wrongCalls },
        {
          topic: "weighted",
          name: "a table and its weights are copied at the time of the call",
          run: snapshot,
        },
        { topic: "weighted", name: "freed, freed again, and used afterwards", run: freed },
        { topic: "weighted", name: "close waits for running calls, and frees tables", run: closes },
        {
          topic: "weighted",
          name: "many calls at once, on several tables",
          run: (context) => manyCalls(["auto", ...weighted], context),
        },
        {
          topic: "weighted",
          name: "aborted before, at once and during the call; exact afterwards",
          run: (context) => aborted(["auto", ...weighted], context),
        },
        { topic: "weighted", name: "progress ascends to the total; onProgress throws", run: progress },
      ];

const DOCUMENTS = 999;
const BINS: readonly number[] = [3, 200, 256];

function tableOf(engine: Engine, seed = 1, documents: number = DOCUMENTS, type: "u8" | "u16" = "u8") {
  const rows = BINS.map((bins, i) => featureValues(bins, documents, SPREADS[i]!, seed + i));
  const init = { values: packedValues(type, rows), type, features: BINS.length, documents, bins: BINS };
  return { init, rows, making: engine.table(init) };
}

async function exact(
  what: string,
  engine: Engine,
  { check }: Context,
  options: SumsOptions = {},
  { seed = 1, documents = DOCUMENTS }: { readonly seed?: number; readonly documents?: number } = {},
): Promise<void> {
  await check.unlessRefused(what, async () => {
    const { rows, making } = tableOf(engine, seed, documents, seed % 2 ? "u8" : "u16");
    await using table = await making;
    const weights = documentWeights("gauss", documents, seed);
    const got = await table.sums(weights, options);
    check.sums(
      what,
      got,
      rows.map((row, i) => sumByDefinition(row, BINS[i]!, weights)),
    );
  });
}

async function wrongTables(context: Context): Promise<void> {
  const { engine, check } = context;
  const bytes = Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7);
  const good = { values: bytes, features: 2, documents: 4, bins: 8 };
  const wrong: readonly (readonly [object, string, ...string[]])[] = [
    [{ bins: 7 }, "ERR_INPUT", "below 7", "feature 1", "document 3", "7"],
    [{ bins: [4, 7] }, "ERR_INPUT", "feature 1"],
    [{ type: "u4", documents: 8, bins: 7 }, "ERR_INPUT", "feature 1", "document 6"],
    [{ values: Uint16Array.of(1, 2, 3, 999), documents: 2 }, "ERR_INPUT", "feature 1", "document 1", "999"],
    [{ documents: 3 }, "ERR_INPUT", "bytes"],
    [{ features: 0 }, "ERR_INPUT", "features"],
    [{ bins: 1 }, "ERR_INPUT", "bins"],
    [{ bins: [8] }, "ERR_INPUT", "bins"],
    [{ bins: 257 }, "ERR_INPUT", "bins"],
    [{ type: "i8" }, "ERR_INPUT", "type"],
    [{ values: [1, 2] }, "ERR_INPUT", "values"],
    [{ documents: limits.MAX_DOCUMENTS + 1 }, "ERR_LIMIT", "documents"],
    [{ pitch: 4 }, "ERR_INPUT", "pitch"],
  ];
  for (const [change, code, ...says] of wrong) {
    const init = { ...good, ...change } as FeatureTableInit;
    await check.rejects(JSON.stringify(change), () => engine.table(init), { code, says });
  }
  await exact("afterwards", engine, context);
}

async function wrongCalls(context: Context): Promise<void> {
  const { engine, check } = context;
  await using table = await tableOf(engine).making;
  const weights = documentWeights("gauss", DOCUMENTS);
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    const given = weights.slice();
    given[17] = bad;
    await check.rejects(`a weight of ${bad}`, () => table.sums(given), {
      code: "ERR_INPUT",
      says: ["weights[17]"],
    });
  }
  for (const given of [weights.subarray(1), [1], null, new Int32Array(DOCUMENTS)]) {
    await check.rejects("other weights", () => table.sums(given as Weights), {
      code: "ERR_INPUT",
      says: ["weights"],
    });
  }
  const wrong: readonly (readonly [object, string, ...string[]])[] = [
    [{ features: [3] }, "ERR_INPUT", "features[0]"],
    [{ features: [1, 1] }, "ERR_INPUT", "features"],
    [{ documents: Uint32Array.of(DOCUMENTS) }, "ERR_INPUT", "documents[0]"],
    [{ documents: Uint32Array.of(5, 5) }, "ERR_INPUT", "ascending"],
    [{ documents: new Uint8Array(3) }, "ERR_INPUT", "documents"],
    [{ precision: "exact" }, "ERR_INPUT", "precision"],
    [{ algorithm: SLUGS[0] }, "ERR_UNSUPPORTED", "weighted"],
    [{ k: 3 }, "ERR_INPUT", "k"],
  ];
  for (const [options, code, ...says] of wrong) {
    await check.rejects(JSON.stringify(options), () => table.sums(weights, options), { code, says });
  }
  check.same("documents afterwards", (await table.sums(weights)).documents, DOCUMENTS);
}

async function snapshot({ engine, check }: Context): Promise<void> {
  const { init, rows, making } = tableOf(engine);
  init.values.fill(255);
  await using table = await making;
  const weights = documentWeights("gauss", DOCUMENTS);
  const given = weights.slice();
  const running = table.sums(given);
  given.fill(7);
  check.sums(
    "overwritten",
    await running,
    rows.map((row, i) => sumByDefinition(row, BINS[i]!, weights)),
  );
}

async function freed(context: Context): Promise<void> {
  const { engine, check } = context;
  const table = await tableOf(engine).making;
  const weights = documentWeights("gauss", DOCUMENTS);
  const running = table.sums(weights);
  const freeing = table.free();
  check.same("the running call", (await running).documents, DOCUMENTS);
  await freeing;
  await table.free();
  await table[Symbol.asyncDispose]();
  check.same("freed", table.freed, true);
  await check.rejects("sums after", () => table.sums(weights), { code: "ERR_INPUT", says: ["freed"] });
  await exact("another table", engine, context);
}

async function closes(context: Context): Promise<void> {
  const { check } = context;
  const engine = await context.open();
  const table = await tableOf(engine).making;
  const weights = documentWeights("gauss", DOCUMENTS);
  let ended = false;
  const running = table.sums(weights).then(() => {
    ended = true;
  });
  await engine.close();
  await running;
  check.ok("the running call ended", ended);
  check.same("freed", table.freed, true);
  const closed = { code: "ERR_UNAVAILABLE", says: ["closed"] };
  await check.rejects("sums after close", () => table.sums(weights), closed);
  await check.rejects("a table after close", () => tableOf(engine).making, closed);
  await table.free();
  await using other = await openEngine({ backends: [context.backend], fallback: true });
  await exact("another engine", other, context);
}

async function manyCalls(slugs: readonly string[], context: Context): Promise<void> {
  const { engine, check } = context;
  const shared = tableOf(engine, 3, 5003);
  await using table = await shared.making;
  const calls = Array.from({ length: 40 }, async (_, i) => {
    const algorithm = slugs[i % slugs.length]!;
    if (i % 3 === 0)
      return exact(
        `call ${i}, ${algorithm}`,
        engine,
        context,
        { algorithm },
        { seed: i, documents: 701 + i },
      );
    const weights = documentWeights("gauss", 5003, i);
    const got = await table.sums(weights, { algorithm });
    check.sums(
      `call ${i}, ${algorithm}`,
      got,
      shared.rows.map((row, f) => sumByDefinition(row, BINS[f]!, weights)),
    );
  });
  await Promise.all(calls);
}

const REASON: Error = new Error("the caller aborted the call");
const NOTHING = "nothing";

async function aborted(slugs: readonly string[], context: Context): Promise<void> {
  const { engine, check } = context;
  const documents = 2 ** 17 + 1;
  const { making } = tableOf(engine, 1, documents);
  await using table = await making;
  const weights = documentWeights("equal", documents);
  const reasonOf = (work: Promise<unknown>) =>
    work.then(
      () => NOTHING,
      (error: unknown) => error,
    );
  const rejects = async (what: string, work: Promise<unknown>) => {
    const error = await reasonOf(work);
    check.ok(
      `${what}: expected the signal's reason but ${describeError(error)} was thrown`,
      error === REASON,
    );
  };
  const before = AbortSignal.abort(REASON);
  await rejects("sums, before", table.sums(weights, { signal: before }));
  await rejects("table, before", engine.table(tableOf(engine).init, { signal: before }));
  const samples = Uint8Array.of(1, 2);
  await rejects("histogram, before", engine.histogram(samples, { weights: [1, 2], signal: before }));
  for (const algorithm of slugs) {
    const control = new AbortController();
    const running = table.sums(weights, { algorithm, signal: control.signal });
    control.abort(REASON);
    await rejects(`${algorithm}, at once`, running);
    // A device may be faster than the timer and report no progress. Then the sums must be right.
    const later = new AbortController();
    const onProgress = () => later.abort(REASON);
    const timer = setTimeout(onProgress);
    const late = await reasonOf(table.sums(weights, { algorithm, signal: later.signal, onProgress }));
    check.ok(`${algorithm}, during the call: ${describeError(late)}`, late === REASON || late === NOTHING);
    clearTimeout(timer);
    await exact(`${algorithm}, after an abort`, engine, context, { algorithm });
  }
}

async function progress(context: Context): Promise<void> {
  const { engine, check } = context;
  const { making } = tableOf(engine, 1, 20_001);
  await using table = await making;
  const weights = documentWeights("gauss", 20_001);
  const told: number[] = [];
  const total = 20_001 * BINS.length;
  await table.sums(weights, {
    onProgress: (now) => {
      told.push(now.done);
      check.same("total", now.total, total);
    },
  });
  check.same("the last", told.at(-1), total);
  check.ok(
    `progress goes back: ${told}`,
    told.every((done, i) => i === 0 || done >= told[i - 1]!),
  );
  const mine = new Error("mine");
  const error = await table
    .sums(weights, {
      onProgress: () => {
        throw mine;
      },
    })
    .catch((thrown: unknown) => thrown);
  check.ok(`expected the error of onProgress but got ${describeError(error)}`, error === mine);
  await exact("afterwards", engine, context);
}
