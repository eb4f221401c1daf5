import type { Row } from "../../src/runner/row.ts";
import type { Measured, Shown } from "../measured.ts";
import type { Point } from "../model.ts";
import { digits } from "../readings/index.ts";
import { value } from "../readings/points.ts";
import { type Compared, LABELS } from "../sides.ts";
import { PEAK_THEN, peakOf } from "./hardware.ts";
import { type Cell, type Mark, NONE, type PageTable, type Picture, type Section } from "./page.ts";

/** A number that a paper prints about a method, and the cell of the figure that has ours. */
export interface Printed {
  readonly method: string;
  readonly slug: string;
  readonly data: string;
  /** `paper-figure`. */
  readonly figure: string;
  readonly panel: string;
  readonly at: Pick<Point, "series" | "x">;
  /** Whether the number is of the papers' GPU. The default is true. */
  readonly onGpu?: false;
}

const N = 2 ** 26;
const bytes = (series: string) => ({
  figure: "brown-snoeyink-figure-6",
  panel: "uniform",
  at: { series, x: N },
});

/** The papers' numbers, one or two per method. The last one of each paper is its whole task. */
export const PRINTED: readonly Printed[] = [
  { method: "TRISH", slug: "trish", data: "2^26 uniform bytes", ...bytes("TRISH") },
  { method: "Podlozhnyuk", slug: "per-warp", data: "2^26 uniform bytes", ...bytes("Podlozhnyuk") },
  {
    ...{ method: "Podlozhnyuk", slug: "per-warp", data: "2^26 zeros" },
    ...{ figure: "brown-snoeyink-figure-6", panel: "zeros", at: { series: "Podlozhnyuk", x: N } },
  },
  { method: "Nugteren", slug: "per-thread", data: "2^26 uniform bytes", ...bytes("Nugteren") },
  {
    ...{ method: "fork and join", slug: "multithreaded", data: "uniform bytes, 8 threads", onGpu: false },
    ...{ figure: "cuda-handbook-cpu-scaling", panel: "throughput", at: { series: "multithreaded", x: 8 } },
  },
  ...[2, 64].map(
    (bins): Printed => ({
      ...{ method: "collision-free", slug: "weighted-collision-free", data: `weighted, ${bins} bins` },
      ...{ figure: "xu-figure-7", panel: "throughput", at: { series: "collision-free", x: bins } },
    }),
  ),
  ...(["collision", "collision-reduced"] as const).flatMap((series) =>
    [
      ["uniform values", 1000],
      ["equal values", 0],
    ].map(
      ([data, x]): Printed => ({
        ...{ method: series, slug: `weighted-${series}`, data: `weighted, 1,024 bins, ${data}` },
        ...{ figure: "xu-figure-9", panel: "sigma", at: { series, x: x! } },
      }),
    ),
  ),
  {
    ...{ method: "hybrid", slug: "weighted-hybrid", data: "weighted, the paper's mix of features" },
    ...{ figure: "xu-table-7", panel: "mix", at: { series: "hybrid", x: "real features" } },
  },
];

/** Lists the papers' numbers next to ours, at the papers' own sizes. */
export function printed(figures: readonly Compared[], backends: readonly Measured[]): Section {
  const main = backends[0]!;
  const peakNow = peakOf(main);
  const rows = PRINTED.map((one): Cell[] => {
    const { of, then, now } = cellsOf(figures, one);
    const first = now.get(main.backend) ?? (one.onGpu === false ? now.get("cpu") : undefined);
    const onGpu = one.onGpu !== false;
    return [
      { text: one.method, figure: of },
      `\`${one.slug}\``,
      one.data,
      digits(then),
      ...backends.map(({ backend }, i) =>
        numberOf(now.get(backend) ?? (i === 0 ? now.get("cpu") : undefined)),
      ),
      first === undefined ? NONE : `${digits(first / then)}x`,
      onGpu ? percent(then / PEAK_THEN) : NONE,
      onGpu && first !== undefined && peakNow !== null ? percent(first / peakNow) : NONE,
    ];
  });
  const lines = [
    { label: "memory then", x: PEAK_THEN },
    ...(peakNow === null ? [] : [{ label: "memory now", x: peakNow }]),
  ];
  return {
    id: "methods",
    title: "The papers' numbers and ours",
    text: [
      `Each row is a number that a paper prints, next to ours for the same data and size. “Peak” is the share of the memory's theoretical bandwidth that the samples' bytes take. The ratio and the share now are those of ${LABELS[main.backend]}. In a row about a CPU, that column shows our CPU. Hollow symbols in the picture are the papers'.`,
    ],
    picture: { ...pictureOf(figures, backends), lines },
    table: tableOf(
      [
        ...["method", "algorithm", "data", "then, GB/s"],
        ...backends.map(({ backend }) => `${LABELS[backend]} now, GB/s`),
        ...["now / then", "peak then", "peak now"],
      ],
      rows,
      3,
    ),
  };
}

/** Draws the table's numbers. */
function pictureOf(figures: readonly Compared[], backends: readonly Measured[]): Omit<Picture, "lines"> {
  const THEN = "then";
  const marks = PRINTED.flatMap((one): Mark[] => {
    const row = `${one.method}: ${one.data}`;
    const { then, now } = cellsOf(figures, one);
    const ours = backends.flatMap(({ backend }): Mark[] => {
      const x = now.get(backend);
      return x === undefined ? [] : [{ row, who: LABELS[backend], x }];
    });
    return [{ row, who: THEN, x: then }, ...ours];
  });
  const who = [THEN, ...backends.map(({ backend }) => LABELS[backend])];
  return {
    unit: "GB/s",
    who: who.filter((name) => marks.some((mark) => mark.who === name)),
    rows: [...new Set(marks.map(({ row }) => row))],
    marks,
  };
}

/** A printed number, and ours by backend. */
interface Cells {
  readonly of: string;
  readonly then: number;
  readonly now: ReadonlyMap<string, number>;
}

/** Finds a printed number and ours. @throws an Error if a figure no longer has the cell */
export function cellsOf(figures: readonly Compared[], { figure, panel, at }: Printed): Cells {
  const found = figures.find(({ main }) => `${main.paper}-${main.id}` === figure);
  const panelOf = ({ panels }: Compared["main"]) => panels.find(({ id }) => id === panel);
  const then = found && value(panelOf(found.main)?.paper ?? [], at);
  if (found === undefined || then === null || then === undefined)
    throw new Error(`expected a number of the paper for ${at.series} at ${at.x} in ${figure}, ${panel}`);
  const now = new Map(
    found.sides.flatMap(({ id, of }) => {
      const ours = value(panelOf(of)?.ours ?? [], at);
      return ours === null ? [] : [[id as string, ours] as const];
    }),
  );
  return { of: figure, then, now };
}

/** A method on bytes, and the rows that show it. */
interface Method {
  readonly name: string;
  readonly slug: string;
  readonly variants: readonly (string | undefined)[];
}

/** Every method for plain histograms. The page shows the first variant that has rows. */
const METHODS: readonly Method[] = [
  { name: "TRISH (Brown & Snoeyink)", slug: "trish", variants: ["k=31", undefined] },
  { name: "per warp, atomics (Podlozhnyuk)", slug: "per-warp", variants: ["atomic"] },
  { name: "per warp, software tag (Podlozhnyuk)", slug: "per-warp", variants: ["tag"] },
  { name: "64 bins (Podlozhnyuk)", slug: "per-thread-64", variants: [undefined] },
  { name: "per thread (Nugteren)", slug: "per-thread", variants: [undefined] },
  { name: "one per block (Handbook, Hardavellas)", slug: "per-block", variants: [undefined] },
  { name: "one per grid (Handbook)", slug: "global", variants: [undefined] },
  { name: "privatized bytes (Handbook)", slug: "privatized", variants: ["periodic interleaved"] },
  { name: "the bank's tile (Hardavellas)", slug: "bank-owned", variants: [undefined] },
  { name: "per lane (ours)", slug: "per-lane", variants: [undefined] },
];

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
function speedOf({ sources, backend }: Measured, { slug, variants }: Method): Speed | null {
  for (const file of FILES[backend]) {
    const rows = sources
      .filter(({ name }) => name === file)
      .flatMap(({ results }) => results.rows)
      .filter((row) => row.backend === backend && row.algorithm === slug && row.exact && isPlain(row));
    const variant = variants.find((name) => rows.some((row) => row.variant === name));
    const speed = spreadOf(rows.filter((row) => row.variant === variant));
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
      `The papers count 2^28 bytes at most. The sizes here, in bytes, are ${sizes.join(", ")}, unless a cell names another one. “Worst / best” compares the slowest distribution with the fastest. A method at 1.00 does not depend on the data.`,
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

export const percent = (share: number): string =>
  `${share < 0.1 ? (share * 100).toFixed(1) : Math.round(share * 100)}%`;
const numberOf = (found: number | undefined): string => (found === undefined ? NONE : digits(found));

/** Makes a table whose columns from `first` on hold numbers. */
function tableOf(columns: readonly string[], rows: readonly (readonly Cell[])[], first: number): PageTable {
  return { columns, rows, numbers: columns.map((_, i) => i).filter((i) => i >= first) };
}
