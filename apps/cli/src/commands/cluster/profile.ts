import { checkShared, Inputs } from "@polybin/cluster/shards";
import { type ClusterProfileOptions, parseDistribution } from "../../cluster-request.ts";
import { profileJson } from "../../output/profile-json.ts";
import { checkOutput, keptInputs } from "../../output/targets.ts";
import { write } from "../../output/write.ts";
import { parseProfile, rangesIn } from "../../profile-request.ts";
import { writeReport } from "../profile.ts";
import { withProgress } from "./progress.ts";
import { absolute, openTarget } from "./target.ts";

/** `polybin cluster profile`. */
export async function clusterProfile(
  files: readonly string[],
  options: ClusterProfileOptions,
  signal: AbortSignal,
): Promise<void> {
  const distribution = parseDistribution(options);
  const { backend: _, threads: __, reading, ranges: texts, ...counts } = parseProfile(files, options);
  const html =
    options.html === undefined ? null : await checkOutput(keptInputs(files), "--html", options.html);
  const locations = files.map(absolute);
  await checkShared(locations);
  await using inputs = await Inputs.open(locations, { ...reading, signal });
  const profile = { ...counts, ranges: rangesIn(inputs.tables, texts) };
  await using target = await openTarget(distribution, locations);
  const { name, cut, width } = distribution;
  const found = await withProgress(target.cluster, (onProgress) =>
    target.wait(
      target.cluster.profile({ inputs, profile: given(profile), name, cut, width, signal, onProgress }),
    ),
  );
  if (html !== null) await writeReport(found, html, signal);
  if (options.json) return write(profileJson(found));
  const { profileTable } = await import("../../output/profile-table.ts");
  await write(profileTable(found, false));
}

/** The options without those that were not given, which would replace the defaults. */
function given<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}
