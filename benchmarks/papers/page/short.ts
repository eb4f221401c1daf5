import type { Measured } from "../measured.ts";
import { digits } from "../readings/index.ts";
import { type Compared, LABELS } from "../sides.ts";
import { PEAK_THEN, peakOf } from "./hardware.ts";
import { speedBySlug, steadiest } from "./large.ts";
import { percent, type Section } from "./page.ts";
import { cellsOf, PRINTED } from "./printed.ts";
import { tally } from "./story.ts";

/** Says in a few sentences what the tables below it say. A sentence whose numbers are missing is left out. */
export function short(figures: readonly Compared[], backends: readonly Measured[]): Section {
  const main = backends[0]!;
  return {
    id: "short",
    title: "In short",
    text: [...faster(figures, main), ...steadier(main), ...best(main), tally(figures)],
    table: null,
  };
}

/** Compares the growth of the memory's bandwidth with that of the papers' main method. */
function faster(figures: readonly Compared[], main: Measured): string[] {
  const peak = peakOf(main);
  const one = PRINTED[0]!;
  const { then, now } = cellsOf(figures, one);
  const ours = now.get(main.backend);
  if (peak === null || ours === undefined) return [];
  const large = speedBySlug(main, one.slug);
  const more =
    large === null
      ? ""
      : ` On 2^${Math.log2(large.n)} bytes it reaches ${digits(large.uniform)} GB/s, ${percent(large.uniform / peak)} of the bandwidth.`;
  return [
    `The memory became ${digits(peak / PEAK_THEN)} times as fast. ${one.method} became ${digits(ours / then)} times as fast at the paper's own size, from ${digits(then)} to ${digits(ours)} GB/s.${more} The paper reached ${percent(then / PEAK_THEN)}.`,
  ];
}

/** Says what became of the dependence on the data that the papers worked against. */
function steadier(main: Measured): string[] {
  const [blocks, warps] = ["per-block", "per-warp"].map((slug) => speedBySlug(main, slug));
  if (!blocks || !warps) return [];
  const share = ({ worst, best: fastest }: { worst: number; best: number }) => percent(worst / fastest);
  return [
    `Brown & Snoeyink and the CUDA Handbook avoid atomics in shared memory, because equal samples serialised them. Now the slowest distribution reaches ${share(blocks)} of the fastest with one histogram per block, and ${share(warps)} with one per warp.`,
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
