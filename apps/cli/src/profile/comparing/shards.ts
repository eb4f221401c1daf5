import {
  type ComparisonPasses,
  comparisonPasses,
  type Inputs,
  type Part,
  type PartialResult,
  shardsOf,
  type Task,
  type Two,
} from "@polybin/cluster/shards";
import { Choice } from "../../engine/index.ts";
import { placesOf } from "../../input/index.ts";
import { parseShard } from "../../options/index.ts";
import { checkOutput, keptInputs } from "../../output/index.ts";
import { openShared, readTwo, writeTwo } from "../../tables/index.ts";
import { progressBar } from "../../terminal/index.ts";
import { Counting, nothingLeft, takeFile } from "../counting.ts";
import { checkReport } from "../print.ts";
import { printComparison } from "./print.ts";
import type { CompareOptions, CompareRequest } from "./request.ts";

/** The options that print a comparison. */
const PRINTING = ["json", "html"] as const;

/** `polybin compare` of a shard of both tables, or after passes that were counted in shards. */
export async function compareShards(
  given: readonly [a: string, b: string],
  options: CompareOptions,
  request: CompareRequest,
  signal: AbortSignal,
): Promise<void> {
  const own = parseShard(options, PRINTING);
  const after = options.after ?? [];
  const [before, now] = await Promise.all(given.map((place) => placesOf([place], signal)));
  const files = [...before!, ...now!];
  const kept = [...keptInputs(files), ...after.map((path) => ({ path, is: "a file of --after" }))];
  const target = own.out === null ? null : await checkOutput(kept, "--out", own.out);
  const html = await checkReport(files, options);
  const { backend, threads, reading, ...counts } = request;
  await using choice = await Choice.of({ backend, threads, algorithm: "auto", segments: null, joint: false });
  await using a = await openShared(before!, reading, { threads, signal });
  await using b = await openShared(now!, reading, { threads, signal });
  const passes = await comparisonPasses(a, b, counts);
  for (const path of after) {
    const [x, y] = await readTwo(path);
    const partials = [x?.partial ?? null, y?.partial ?? null] as const;
    takeFile(path, passes.count + 1, "comparison", () => passes.add(partials));
  }
  const how = { threads, headers: reading.headers, signal };
  const sides: Sides = [side(a, new Counting(a, choice, how)), side(b, new Counting(b, choice, how))];
  const { watch, clear } = await progressBar(given.join(" and "), "B");
  try {
    if (target !== null) {
      if (passes.isDone) throw nothingLeft("comparison");
      const part = (task: Task, { counting }: Side): Promise<Part> => counting.part(task, own, watch);
      await writeTwo(target, await onBoth(passes, sides, part));
    } else {
      const start = performance.now();
      const passMs = await countRest(passes, sides, (task, { inputs, counting }) =>
        counting.shard(task, shardsOf(task, inputs.tables, { shards: 1 })[0]!, watch),
      );
      const timings = { totalMs: performance.now() - start, passMs };
      const found = passes.json(sides[0].counting.by, timings);
      clear();
      await printComparison(found, { json: options.json, html, byAuto: false, signal });
    }
    for (const { counting } of sides) counting.tell();
  } finally {
    clear();
  }
}

/** A table with what counts its shards. */
interface Side {
  readonly inputs: Inputs;
  readonly counting: Counting;
}
type Sides = readonly [Side, Side];

const side = (inputs: Inputs, counting: Counting): Side => ({ inputs, counting });

/** Counts what is left. Returns the milliseconds of each pass. */
async function countRest(
  passes: ComparisonPasses,
  sides: Sides,
  count: (task: Task, side: Side) => Promise<PartialResult>,
): Promise<number[]> {
  const passMs: number[] = [];
  while (!passes.isDone) {
    const before = performance.now();
    passes.add(await onBoth(passes, sides, count));
    passMs.push(performance.now() - before);
  }
  return passMs;
}

/** Does the work of the next pass on each table that has one left. */
async function onBoth<T>(
  { tasks }: ComparisonPasses,
  sides: Sides,
  work: (task: Task, side: Side) => Promise<T>,
): Promise<Two<T>> {
  const of = async (i: 0 | 1): Promise<T | null> => {
    const task = tasks[i];
    return task === null ? null : work(task, sides[i]);
  };
  return [await of(0), await of(1)];
}
