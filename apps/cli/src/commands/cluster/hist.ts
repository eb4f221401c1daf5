import { Inputs } from "@polybin/cluster/shards";
import { type ClusterHistOptions, parseDistribution } from "../../cluster-request.ts";
import { absolute, openTarget } from "./target.ts";
import { withProgress } from "./progress.ts";

/** `polybin cluster hist`. */
export async function clusterHist(
  files: readonly string[],
  options: ClusterHistOptions,
  signal: AbortSignal,
): Promise<void> {
  const distribution = parseDistribution(options);
  const bins = binsText(options);
  const locations = files.map(absolute);
  await using inputs = await Inputs.open(locations, { format: options.format ?? null, signal });
  const columns = options.column.map((name) => ({ name, axis: axisOptionsOf(inputs.column(name).type, bins) }));
  await using target = await openTarget(distribution, locations);
  const { name, cut, width } = distribution;
  const result = await withProgress((onProgress) =>
    target.wait(target.cluster.hist({ inputs, columns, by: options.by, name, cut, width, signal, onProgress })),
  );
}
