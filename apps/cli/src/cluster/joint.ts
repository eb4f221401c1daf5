import { checkShared, Inputs } from "@polybin/cluster/shards";
import { PolybinError } from "@polybin/core";
import { placesOf } from "../input/index.ts";
import { bothBins, DEFAULT_VIEW, parseReading, twoColumns } from "../options/index.ts";
import { printJoint } from "../output/index.ts";
import { jointResult, planOf } from "../tables/index.ts";
import { withProgress } from "./progress.ts";
import { type ClusterJointOptions, parseDistribution } from "./request.ts";
import { absolute, openTarget } from "./target.ts";

/** `polybin cluster joint`. */
export async function clusterJoint(
  files: readonly string[],
  options: ClusterJointOptions,
  signal: AbortSignal,
): Promise<void> {
  if (options.columns === undefined) {
    throw new PolybinError("ERR_INPUT", "expected --columns with the names of two columns but received none");
  }
  const names = twoColumns(options.columns);
  const distribution = parseDistribution(options);
  const bins = bothBins(options);
  const locations = (await placesOf(files, signal)).map(absolute);
  await checkShared(locations);
  const start = performance.now();
  await using inputs = await Inputs.open(locations, { ...parseReading(options), signal });
  const { columns } = planOf(inputs, { count: "joint", columns: names, by: null, bins });
  const [x, y] = columns as [(typeof columns)[number], (typeof columns)[number]];
  await using target = await openTarget(distribution, locations);
  const { name, cut, width } = distribution;
  const { task, shards, result } = await withProgress(target.cluster, (onProgress) =>
    target.wait(target.cluster.joint({ inputs, columns: [x, y], name, cut, width, signal, onProgress })),
  );
  const totalMs = performance.now() - start;
  const timings = { readMs: totalMs, uploadMs: 0, kernelMs: 0, totalMs };
  await printJoint(jointResult(task, result, timings, null, shards), {
    view: DEFAULT_VIEW,
    byAuto: false,
    json: options.json,
    svg: null,
    png: null,
  });
}
