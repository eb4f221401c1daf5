import type { Measured } from "../measured.ts";
import { digits } from "../readings/index.ts";
import { type Compared, LABELS } from "../sides.ts";
import { PEAK_THEN, peakOf } from "./hardware.ts";
import { speedBySlug, steadiest } from "./large.ts";
import { percent, type Section } from "./page.ts";
import { cellsOf, PRINTED } from "./printed.ts";
import { verdictsIn } from "./tally.ts";

/** Says in a few sentences what the tables below it say. A sentence whose numbers are missing is left out. */
export function short(figures: readonly Compared[], backends: readonly Measured[]): Section {
  const main = backends[0]!;
  return {
    id: "short",
    title: "In short",
    text: [
      ...holds(figures),
      ...orders(figures),
      ...faster(figures, main),
      ...steadier(main),
      ...best(main),
      ...basis(main),
      ...singleValues(main),
    ],
    table: null,
  };
}

/** Says how many statements hold for the papers' kernels. */
function holds(figures: readonly Compared[]): string[] {
  const [agrees, differs, reversed, missing] = figures
    .map(({ main }) => verdictsIn(main))
    .reduce((sum, one) => sum.map((count, i) => count + one[i]!)) as [number, number, number, number];
  const measured = agrees + differs + reversed;
  if (measured === 0) return [];
  return [
    `The papers' own kernels are measured for ${measured} of ${measured + missing} statements: ${agrees} agree, ${differs} differ, and ${reversed} are reversed.`,
  ];
}

/** Says what became of TRISH's lead over both other methods. */
function orders(figures: readonly Compared[]): string[] {
  const all = figures.flatMap(({ main: { findings } }) => findings);
  const [nugteren, podlozhnyuk] = ["trish-over-nugteren", "trish-over-podlozhnyuk"].map((id) =>
    all.find((one) => one.id === id),
  );
  if (!nugteren?.ours || !podlozhnyuk?.ours) return [];
  const times = (factor: string) => factor.replace(/x$/, "");
  return [
    `With the paper's number of blocks TRISH is ${times(nugteren.ours)} times as fast as Nugteren's method, and was ${times(nugteren.paper)} times. It is ${times(podlozhnyuk.ours)} times as fast as Podlozhnyuk's, and was ${times(podlozhnyuk.paper)} times.`,
  ];
}

/** Says what the speeds are. A worker has no kernel times. */
const basis = ({ backend }: Measured): string[] =>
  backend === "piscina" ? [] : ["All of these speeds are those of kernels, without the call around them."];

/** Compares the growth of the memory's bandwidth with that of the papers' main kernel, and says what a rewrite gains. */
function faster(figures: readonly Compared[], main: Measured): string[] {
  const peak = peakOf(main);
  const one = PRINTED[0]!;
  const { then, now } = cellsOf(figures, one);
  const [published, ours] = [now.get("published"), now.get(main.backend)];
  if (peak === null || ours === undefined) return [];
  const memory = `The memory became ${digits(peak / PEAK_THEN)} times as fast.`;
  const data = `on ${one.data}`;
  if (published === undefined)
    return [
      `${memory} ${one.method} as published is not measured on this device. Polybin's kernel of it reaches ${digits(ours)} GB/s ${data}, and the paper's reached ${digits(then)}: two kernels on two devices, so their ratio is no gain of the hardware.`,
    ];
  return [
    `${memory} ${one.method} as published became ${digits(published / then)} times as fast ${data}, from ${digits(then)} to ${digits(published)} GB/s. Polybin's rewrite of it reaches ${digits(ours)} GB/s, ${digits(ours / published)} times as much.`,
  ];
}

/** Says what became of the dependence on the data that the papers worked against. */
function steadier(main: Measured): string[] {
  const [blocks, warps] = ["per-block", "per-warp"].map((slug) => speedBySlug(main, slug));
  if (!blocks || !warps) return [];
  const share = ({ worst, best: fastest }: { worst: number; best: number }) => percent(worst / fastest);
  return [
    `Brown & Snoeyink and the CUDA Handbook avoid atomics in shared memory, because equal samples serialised them. In polybin's kernels the slowest distribution now reaches ${share(blocks)} of the fastest with one histogram per block, and ${share(warps)} with one per warp.`,
  ];
}

/** Warns of weighted rows that were measured before threads fetched words, as long as there are some. */
function singleValues(main: Measured): string[] {
  const rows = ["Figure 4", "Figure 7", "Table 7"].flatMap((figure) => main.sums(figure));
  const old = rows.filter(
    ({ algorithm, weighted }) => algorithm?.startsWith("weighted-collision") && weighted.fetch === undefined,
  );
  if (old.length === 0) return [];
  return [
    "Most rows of Xu et al.'s Figures 4 to 11 and Tables 5 to 7 are older than the kernels that fetch words. They read single values, and the hybrid timed one feature at a time. The counters of ncu describe the kernels that fetch words. You can measure these rows again with `run bench weighted-paper weighted-parameters weighted-shapes`.",
  ];
}

/** Names the fastest method for any data, next to the papers' fastest. */
function best(main: Measured): string[] {
  const fastest = steadiest(main);
  const theirs = speedBySlug(main, "trish");
  const peak = peakOf(main);
  if (fastest === null || theirs === null) return [];
  const share = peak === null ? "" : `, ${percent(fastest.worst / peak)} of the memory's bandwidth`;
  return [
    `The fastest method for any data is \`${fastest.slug}\`: at least ${digits(fastest.worst)} GB/s through ${LABELS[main.backend]}${share}. That is ${digits(fastest.worst / theirs.worst)} times as fast as \`trish\` on its slowest data.`,
  ];
}
