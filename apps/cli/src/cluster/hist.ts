import { checkShared, Inputs } from "@polybin/cluster/shards";
import { PolybinError } from "@polybin/core";
import { placesOf } from "../input/index.ts";
import { binsText, checkOnce, checkOneFormat, DEFAULT_VIEW, parseReading } from "../options/index.ts";
import { printTable } from "../output/index.ts";
import { described, planOf } from "../tables/index.ts";
import { withProgress } from "./progress.ts";
import { type ClusterHistOptions, parseDistribution } from "./request.ts";
import { absolute, openTarget } from "./target.ts";

/** `polybin cluster hist`. */
export async function clusterHist(
  files: readonly string[],
  options: ClusterHistOptions,
  signal: AbortSignal,
): Promise<void> {
  const { column: names, by = null, json, csv } = options;
  if (names === undefined)
    throw new PolybinError("ERR_INPUT", "expected --column with the name of a column but received none");
  checkOnce(names, "--column");
  checkOneFormat(options);
  const distribution = parseDistribution(options);
  const bins = binsText(options);
  const locations = (await placesOf(files, signal)).map(absolute);
  await checkShared(locations);
  const start = performance.now();
  await using inputs = await Inputs.open(locations, { ...parseReading(options), signal });
  const { columns } = planOf(inputs, { count: "hist", columns: names, by, bins: [bins] });
  await using target = await openTarget(distribution, locations);
  const { name, cut, width } = distribution;
  const { task, shards, result } = await withProgress(target.cluster, (onProgress) =>
    target.wait(target.cluster.hist({ inputs, columns, by, name, cut, width, signal, onProgress })),
  );
  const totalMs = performance.now() - start;
  await printTable(
    {
      ...described(task),
      rows: result.rows,
      columns: result.columns,
      work: null,
      merged: shards,
      timings: { readMs: totalMs, uploadMs: 0, kernelMs: 0, totalMs },
    },
    { view: DEFAULT_VIEW, byAuto: false, json, csv, svg: null, png: null },
  );
}
