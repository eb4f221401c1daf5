import { countedOf } from "../causes.ts";
import type { Measured } from "../measured.ts";
import { digits, side } from "../readings/index.ts";
import { N, SMALL, sharesOfPeak } from "./points.ts";
import { publishedMethodOf } from "./rows.ts";

/** Four mebibytes do not fill the device. */
export function largerIsFaster(measured: Measured): string | null {
  const of = (n: number) => sharesOfPeak(measured, n).find(({ series }) => series === "Nugteren")?.y;
  const [small, large] = [of(SMALL), of(N)];
  if (small === undefined || large === undefined || large < 2 * small) return null;
  return `A picture of 2048 x 2048 no longer fills the device: with ${digits(N)} bytes the method reaches ${digits(large)}% of the peak instead of ${digits(small)}%.`;
}

/** Names the kind of access in which the methods without atomics have their bank conflicts. */
export function kindsOfConflicts(measured: Measured): string | null {
  const parts = ["trish", "per-thread"].map((slug) => {
    const row = countedOf(measured, slug);
    const [loads, stores] = ["loads", "stores"].map((kind) => row?.terms[`Bank Conflicts, ${kind}`]?.value);
    const waves = row?.terms["Shared memory wavefronts"]?.value;
    return loads == null || stores == null || !waves
      ? null
      : { loads, stores, share: (loads + stores) / waves };
  });
  const [trish, nugteren] = parts;
  if (!trish || !nugteren) return null;
  const text = ({ loads, stores, share }: typeof trish) =>
    `${digits(stores)} in stores and ${digits(loads)} in loads, ${digits(share * 100)}% of its accesses`;
  return `ncu counts TRISH's conflicts as ${text(trish)}, and those of Nugteren's method as ${text(nugteren)}.`;
}

/** TRISH over Podlozhnyuk's method as published, with atomics and with the software tag, by launch. */
export function fastAtomics(measured: Measured): string | null {
  const rows = measured
    .published("brown-snoeyink Figure 6", "podlozhnyuk oclHistogram256")
    .filter(({ n, distribution }) => n === N && distribution === "uniform");
  const factors = (["paper", "today"] as const).map((launch) => {
    const [trish, atomic, tag] = (
      [
        ["TRISH", undefined],
        ["Podlozhnyuk 256", "atomic"],
        ["Podlozhnyuk 256", "tag"],
      ] as const
    ).map(
      ([method, collisions]) =>
        rows.find(
          ({ published }) =>
            published.method === method &&
            published.launch === launch &&
            published.parameters.collisions === collisions,
        )?.gbps,
    );
    return trish && atomic && tag ? { atomic: trish / atomic, tag: trish / tag } : null;
  });
  const [then, now] = factors;
  // Only if the tag and more blocks together turn the order.
  if (!then || !now || side(then.atomic) >= 0 || side(now.tag) <= 0) return null;
  return `Atomics in shared memory are fast today, and TRISH needs more blocks than the paper's. TRISH is ${digits(then.atomic)} times as fast as Podlozhnyuk's method with atomics and ${digits(then.tag)} times as fast as with the software tag. With as many blocks as fit, these are ${digits(now.atomic)} and ${digits(now.tag)} times.`;
}

/** The same kernels with as many blocks as fit: what the paper's number of blocks costs each method. */
export function todaysBlocks(measured: Measured): string | null {
  const rows = measured
    .published("brown-snoeyink Figure 6")
    .filter(({ n, distribution }) => n === N && distribution === "uniform");
  const parts = ["TRISH", "Podlozhnyuk", "Nugteren"].map((name) => {
    const [paper, today] = (["paper", "today"] as const).map(
      (launch) =>
        rows.find((row) => publishedMethodOf(row) === name && row.published.launch === launch)?.gbps,
    );
    return paper === undefined || today === undefined ? null : { name, paper, today };
  });
  if (parts.includes(null)) return null;
  const text = parts.map(
    (part) => `${part!.name} from ${digits(part!.paper)} to ${digits(part!.today)} GB/s`,
  );
  return `The number of blocks per multiprocessor decides: with as many as fit instead of the paper's, ${text.join(", ")}.`;
}
