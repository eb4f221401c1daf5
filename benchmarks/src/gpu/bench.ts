import { execFileSync } from "node:child_process";
import { cpu, type HistogramOptions, openEngine, type Slug } from "@polybin/core";
import { cuda } from "@polybin/cuda";
import { DISTRIBUTIONS, type Distribution, fill } from "../distributions.ts";
import { median, type Results, type Row, resultsOf, throughput } from "../result.ts";

/** Bytes that are generated; larger data are this, again and again. */
const TILE = 1 << 24;
const ROUNDS = 11;

type Cell = HistogramOptions & { readonly algorithm: Slug };

const CELLS: readonly Cell[] = [
  { algorithm: "per-lane" },
  ...[1, 4, 15, 21, 31, 32, 63].map((k): Cell => ({ algorithm: "trish", k })),
  { algorithm: "per-warp", collisions: "atomic" },
  { algorithm: "per-warp", collisions: "tag" },
  { algorithm: "per-block" },
  { algorithm: "per-thread" },
  { algorithm: "privatized", merge: "periodic", layout: "interleaved" },
  { algorithm: "privatized", merge: "avoid", layout: "interleaved" },
  { algorithm: "privatized", merge: "periodic", layout: "row" },
  { algorithm: "privatized", merge: "periodic", layout: "column" },
  { algorithm: "bank-owned" },
  { algorithm: "global" },
];

/** Every algorithm on u8 data of 256 bins that lie on the device, over all distributions. */
export async function benchCuda(mebibytes: number): Promise<Results> {
  const n = mebibytes * 2 ** 20;
  await using engine = await openEngine({ backend: cuda() });
  await using oracle = await openEngine({ backend: cpu() });
  const tile = new Uint8Array(TILE);
  const data = new Uint8Array(n);
  const rows: Row[] = [];
  for (const distribution of DISTRIBUTIONS) {
    fill(tile, distribution);
    for (let at = 0; at < n; at += TILE) data.set(tile.subarray(0, Math.min(TILE, n - at)), at);
    const truth = (await oracle.histogram(data)).counts;
    await using resident = await engine.upload(data);
    for (const options of CELLS) {
      const first = await engine.histogram(resident, options);
      const ms: number[] = [];
      for (let round = 0; round < ROUNDS; round++)
        ms.push((await engine.histogram(resident, options)).timings!.kernelMs);
      rows.push({
        backend: "cuda",
        algorithm: nameOf(options),
        peer: null,
        type: "u8",
        bins: 256,
        n,
        distribution,
        residence: "resident",
        threads: 0,
        ms,
        gbps: throughput(n, ms),
        ceilingPercent: null,
        exact: first.counts.every((count, bin) => count === truth[bin]),
      });
    }
  }
  print(rows);
  return resultsOf(rows, [], process.env.POLYBIN_COMMIT ?? "unknown", {
    gpu: engine.device,
    driver: driver(),
  });
}

function driver(): string {
  try {
    const query = ["--query-gpu=driver_version", "--format=csv,noheader"];
    return execFileSync("nvidia-smi", query, { encoding: "utf8" }).split("\n")[0]!.trim();
  } catch {
    return "unknown";
  }
}

function nameOf({ algorithm, k, collisions, merge, layout }: Cell): string {
  return [algorithm, k && `k=${k}`, collisions, merge, layout].filter(Boolean).join(" ");
}

function print(rows: readonly Row[]): void {
  console.log(["GB/s".padEnd(34), ...DISTRIBUTIONS.map((name) => name.padStart(9)), "worst/best"].join(""));
  for (const name of new Set(rows.map(({ algorithm }) => algorithm!))) {
    const of = (distribution: Distribution) =>
      rows.find((row) => row.algorithm === name && row.distribution === distribution)!;
    const speeds = DISTRIBUTIONS.map((distribution) => of(distribution).gbps);
    const label = DISTRIBUTIONS.every((distribution) => of(distribution).exact) ? name : `${name} NOT EXACT`;
    console.log(
      [
        label.padEnd(34),
        ...speeds.map((speed) => speed.toFixed(0).padStart(9)),
        (Math.min(...speeds) / Math.max(...speeds)).toFixed(3).padStart(10),
      ].join(""),
    );
  }
  console.log(`medians of ${ROUNDS}, e.g. ${median(rows[0]!.ms).toFixed(3)} ms`);
}
