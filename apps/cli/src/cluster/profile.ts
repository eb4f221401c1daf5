import { checkShared, Inputs } from "@polybin/cluster/shards";
import { placesOf } from "../input/index.ts";
import { checkReport, parseProfile, printProfile, rangesIn } from "../profile/index.ts";
import { withProgress } from "./progress.ts";
import { type ClusterProfileOptions, parseDistribution } from "./request.ts";
import { absolute, openTarget } from "./target.ts";

/** `polybin cluster profile`. */
export async function clusterProfile(
  files: readonly string[],
  options: ClusterProfileOptions,
  signal: AbortSignal,
): Promise<void> {
  const distribution = parseDistribution(options);
  const { backend: _, threads: __, reading, ranges: texts, ...counts } = parseProfile(files, options);
  const html = await checkReport(files, options);
  const locations = (await placesOf(files, signal)).map(absolute);
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
  await printProfile(found, { json: options.json, html, byAuto: false, signal });
}

/** The options without those that were not given, which would replace the defaults. */
function given<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}
