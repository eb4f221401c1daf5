import type { Row } from "../../src/runner/row.ts";
import type { Measured, Shown } from "../measured.ts";
import { digits } from "../readings/index.ts";
import { LABELS } from "../sides.ts";
import { peakOf } from "./hardware.ts";
import methods from "./methods.json" with { type: "json" };
import { type Cell, NONE, percent, type Section, tableOf } from "./page.ts";

/** A method on bytes, and the rows that show it. */
interface Method {
  readonly name: string;
  readonly slug: string;
  /** Null is a method without variants, which is the default. */
  readonly variants?: readonly (string | null)[];
}

/** Every method for plain histograms. The page shows the first variant that has rows. */
const METHODS: readonly Method[] = methods;

/** A method's throughput on one backend. */
export interface Speed {
  readonly n: number;
  readonly uniform: number;
  readonly worst: number;
  readonly best: number;
}

/** Files with every method on large data, by preference. Workers have an older one of their own. */
const FILES: Readonly<Record<Shown, readonly string[]>> = {
  cuda: ["cuda-algorithms"],
  webgpu: ["webgpu-algorithms"],
  piscina: ["piscina-algorithms", "workers"],
};

/** Reads the throughput of a plain method over all distributions, at the largest size that has rows. */
function speedOf(measured: Measured, { slug, variants = [null] }: Method): Speed | null {
  const { backend } = measured;
  for (const file of FILES[backend]) {
    const rows = measured.rowsOf(
      file,
      (row) => row.backend === backend && row.algorithm === slug && row.exact && isPlain(row),
    );
    const variant = variants.find((name) => rows.some((row) => row.variant === (name ?? undefined)));
    const speed = spreadOf(rows.filter((row) => row.variant === (variant ?? undefined)));
    if (speed !== null) return speed;
  }
  return null;
}

const isPlain = ({ type, residence, weighted }: Row): boolean =>
  type === "u8" && residence === "resident" && weighted === undefined;

function spreadOf(rows: readonly Row[]): Speed | null {
  const [n, threads] = [Math.max(...rows.map((row) => row.n)), Math.max(...rows.map(threadsOf))];
  const largest = rows.filter((row) => row.n === n && threadsOf(row) === threads);
  const uniform = largest.find(({ distribution }) => distribution === "uniform");
  if (uniform === undefined) return null;
  const all = largest.map(({ gbps }) => gbps);
  return { n, uniform: uniform.gbps, worst: Math.min(...all), best: Math.max(...all) };
}

const threadsOf = ({ threads = 1 }: Row): number => threads;

/** Lists every plain method on large data, with its dependence on the data. */
export function large(backends: readonly Measured[]): Section {
  const columns = backends.map((measured) => {
    const speeds = METHODS.map((method) => speedOf(measured, method));
    return { measured, speeds, n: Math.max(...speeds.map((speed) => speed?.n ?? 0)), peak: peakOf(measured) };
  });
  const shown = columns.filter(({ n }) => n > 0);
  const rows = METHODS.map(({ name, slug }, i): Cell[] => [
    name,
    `\`${slug}\``,
    ...shown.flatMap(({ speeds, n, peak }) => speedCells(speeds[i]!, n, peak)),
  ]);
  const sizes = shown.map(({ measured, n }) => `${LABELS[measured.backend]} ${sizeText(n)}`);
  return {
    id: "large",
    title: "Every method for bytes on large data",
    text: [
      `The papers count 2^28 bytes at most. The sizes here, in bytes, are ${sizes.join(", ")}, unless a cell names another one. GB/s is that of uniform bytes. “Worst / best” compares the slowest distribution with the fastest. A method at 1.00 does not depend on the data.`,
    ],
    table: tableOf(
      [
        ...["method", "algorithm"],
        ...shown.flatMap(({ measured: { backend }, peak }) => [
          `${LABELS[backend]}, GB/s`,
          "worst / best",
          ...(peak === null ? [] : ["peak"]),
        ]),
      ],
      rows,
      2,
    ),
  };
}

function speedCells(speed: Speed | null, n: number, peak: number | null): string[] {
  if (speed === null) return peak === null ? [NONE, NONE] : [NONE, NONE, NONE];
  const { uniform, worst, best } = speed;
  const text = speed.n === n ? digits(uniform) : `${digits(uniform)} (${sizeText(speed.n)})`;
  return [text, (worst / best).toFixed(2), ...(peak === null ? [] : [percent(uniform / peak)])];
}

const sizeText = (n: number): string => `2^${Math.log2(n)}`;

/** Returns the plain method that is fastest on its slowest distribution; null without rows. */
export function steadiest(measured: Measured): (Speed & { readonly slug: string }) | null {
  const all = METHODS.flatMap((method) => {
    const speed = method.slug === "per-thread-64" ? null : speedOf(measured, method);
    return speed === null ? [] : [{ slug: method.slug, ...speed }];
  });
  return all.toSorted((a, b) => b.worst - a.worst)[0] ?? null;
}

/** Returns the throughput of a method by its algorithm's slug; null without rows. */
export function speedBySlug(measured: Measured, slug: string): Speed | null {
  const method = METHODS.find((one) => one.slug === slug);
  if (method === undefined) throw new Error(`expected a method of the page but received ${slug}`);
  return speedOf(measured, method);
}
