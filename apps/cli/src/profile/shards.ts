import { type CountTask, profileInShards, profilePasses } from "@polybin/cluster/shards";
import { Choice } from "../engine/index.ts";
import { parseShard } from "../options/index.ts";
import { checkOutput, keptInputs } from "../output/index.ts";
import { nameOf, openShared, readPart, writePart } from "../tables/index.ts";
import { progressBar } from "../terminal/index.ts";
import { Counting, nothingLeft, takeFile } from "./counting.ts";
import { checkReport, printProfile } from "./print.ts";
import { type ProfileOptions, type ProfileRequest, rangesIn } from "./request.ts";

/** The options that print a profile. */
const PRINTING = ["json", "html"] as const;

/** `polybin profile` of a shard, or after passes that were counted in shards. */
export async function profileShards(
  files: readonly string[],
  options: ProfileOptions,
  request: ProfileRequest,
  signal: AbortSignal,
): Promise<void> {
  const own = parseShard(options, PRINTING);
  const after = options.after ?? [];
  const kept = [...keptInputs(files), ...after.map((path) => ({ path, is: "a file of --after" }))];
  const target = own.out === null ? null : await checkOutput(kept, "--out", own.out);
  const html = await checkReport(files, options);
  const { backend, threads, reading, ranges, ...counts } = request;
  const joint = counts.joint.length > 0;
  await using choice = await Choice.of({
    ...{ backend, threads, algorithm: "auto", segments: null, joint },
    table: true,
  });
  await using inputs = await openShared(files, reading, { threads, signal });
  const passes = await profilePasses(inputs, { ...counts, ranges: rangesIn(inputs.tables, ranges) });
  for (const path of after) {
    const { partial } = await readPart(path);
    takeFile(path, passes.count + 1, "profile", () => passes.add(partial));
  }
  const counting = new Counting(inputs, choice, { threads, headers: request.reading.headers, signal });
  const { watch, clear } = await progressBar(nameOf(files), "B");
  try {
    if (target !== null) {
      if (passes.task === null) throw nothingLeft("profile");
      await writePart(target, await counting.part(passes.task, own, watch));
      return counting.tell();
    }
    const count: CountTask = (task, [shard]) => counting.shard(task, shard!, watch);
    const found = await profileInShards(inputs, passes, { shards: 1 }, count, () => counting.by);
    clear();
    counting.tell();
    await printProfile(found, { json: options.json, html, byAuto: false, signal });
  } finally {
    clear();
  }
}
