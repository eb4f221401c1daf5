import type { Row } from "../runner/row.ts";
import { noiseOf } from "../runner/statistics.ts";
import { figure } from "./markdown.ts";
import { us } from "./wanted.ts";

/** A goal for calls on a CPU, and what one run measured. */
export interface Goal {
  readonly what: string;
  readonly wanted: number;
  readonly unit: string;
  /** Whether larger values are better. */
  readonly least: boolean;
  /** The worst value and its cell; null if nothing was measured. */
  readonly worst: { readonly value: number; readonly cell: string } | null;
  /** Number of values, and of those that reach the goal. */
  readonly cells: number;
  readonly reaching: number;
}

/** A value of a cell. */
interface Value {
  readonly value: number;
  readonly row: Row;
}

const [KIB, MIB, GIB] = [2 ** 10, 2 ** 20, 2 ** 30];
/** The smallest change that is more than noise. */
const NOISE = 0.1;
/** Sizes from which threads should count as many times as fast as there are of them. */
const LARGE_BYTES = 16 * MIB;
/** Pixels of a frame and of a photograph. */
const [FRAME, PHOTOGRAPH] = [1280 * 720, 24e6];
const JOINT = "2 x f32";
const WEIGHTS = "f32 with weights";

const bytesOf = (row: Row): number => Math.round(row.gbps * us(row) * 1e3);

/** Compares the rows of a run of the suite `cpu` with its goals. */
export function cpuGoals(rows: readonly Row[]): Goal[] {
  const ordinary = rows.filter(({ memory }) => memory === undefined);
  const counting = ordinary.filter(({ type }) => type !== WEIGHTS);
  const own = (backend: string, threads: number, call: Row["call"], of = counting) =>
    of.filter((row) => row.backend === backend && row.threads === threads && row.call === call);
  const peer = (name: string, variant?: string, threads?: number) =>
    rows.filter(
      (row) =>
        row.peer === name && row.variant === variant && (threads === undefined || row.threads === threads),
    );
  const all = Math.max(
    1,
    ...rows.filter(({ backend }) => backend === "native").map(({ threads = 1 }) => threads),
  );
  const [one, awaited, several] = [
    own("native", 1, "countSync"),
    own("native", 1, "count"),
    own("native", all, "count"),
  ];
  const ofType = (some: readonly Row[], type: string, bins?: number) =>
    some.filter((row) => row.type === type && (bins === undefined || row.bins === bins));
  const from = (some: readonly Row[], bytes: number, to = Number.POSITIVE_INFINITY) =>
    some.filter((row) => bytesOf(row) >= bytes && bytesOf(row) <= to);
  const loops = peer("js-loop");
  const checked = peer("js-loop", "checks the range");
  const nsEach = (some: readonly Row[]) =>
    some.map((row): Value => ({ value: (us(row) * 1e3) / row.n, row }));
  const msEach = (some: readonly Row[]) => some.map((row): Value => ({ value: us(row) / 1e3, row }));
  const wide = (type: string) => nsEach(from(ofType(one, type), MIB));
  const weights = ofType(own("native", 1, "count", ordinary), WEIGHTS);
  const weighing = (variant?: string) => weights.filter((row) => row.variant === variant);
  const two = own("native", 2, "count");
  return [
    least("native, 1 thread: speed over C, from 4 KiB", 1, over(from(one, 4 * KIB), peer("c"))),
    least(
      "native, 1 thread: speed over OpenCV on 1 thread, from 4 KiB",
      1,
      over(from(one, 4 * KIB), peer("opencv", undefined, 1)),
    ),
    most("native, 1 thread: f32", 0.65, wide("f32"), "ns per sample"),
    most("native, 1 thread: f64", 1, wide("f64"), "ns per sample"),
    least(
      "native, 1 thread: u16 in 65,536 bins, speed over C",
      1,
      over(ofType(one, "u16", 2 ** 16), peer("c")),
    ),
    most("native, 1 thread: f32 between 100 variable edges", 2.5, wide("f32 edges"), "ns per sample"),
    least(
      "native, 1 thread: three channels of RGBA, speed over C",
      1,
      over(ofType(one, "rgb of rgba8"), peer("c")),
    ),
    most(
      "native, 1 thread: three channels of a 1,280 x 720 RGBA frame",
      0.6,
      msEach(one.filter(({ type, n }) => type === "rgb of rgba8" && n === FRAME)),
      "ms",
    ),
    most(
      "native, 1 thread: RGB of 24 megapixels",
      25,
      msEach(one.filter(({ type, n }) => type === "rgb8" && n === PHOTOGRAPH)),
      "ms",
    ),
    least(
      "native, 2 threads: speed over 1, from 16 MiB",
      1.7,
      over(from(two, LARGE_BYTES, 256 * MIB), awaited),
    ),
    ...(all < 16
      ? []
      : [
          least(
            "native, 16 threads: speed over 1, the largest of each type",
            14,
            largest(over(from(own("native", 16, "count"), LARGE_BYTES), awaited)),
          ),
          most(
            "native, 16 threads: 4 MiB of bytes",
            0.4,
            msEach(ofType(own("native", 16, "count"), "u8").filter(({ n }) => n === 4 * MIB)),
            "ms",
          ),
        ]),
    least(
      `native, ${all} threads: speed over OpenCV on ${all}, from 1 MiB`,
      1,
      over(from(several, MIB), peer("opencv", undefined, all)),
    ),
    most(
      "native: time over that with fewer threads, beyond noise",
      1,
      slowdowns(ordinary.filter((row) => row.backend === "native")),
    ),
    most(
      "native, `countSync` of 64 bytes over the loop",
      2,
      more(
        ofType(one, "u8").filter(({ n }) => n === 64),
        loops,
      ),
      "µs",
    ),
    most(
      "native, `count` of 64 bytes over the loop",
      4,
      more(
        ofType(awaited, "u8").filter(({ n }) => n === 64),
        loops,
      ),
      "µs",
    ),
    ...[...new Set([1, all])].map((threads) =>
      most(
        `native, ${threads} thread${threads === 1 ? "" : "s"}: \`count\` of 1 MiB over \`countSync\``,
        15,
        more(
          ofType(own("native", threads, "count"), "u8").filter(({ n }) => n === MIB),
          own("native", threads, "countSync"),
        ),
        "µs",
      ),
    ),
    least(
      "native, 1 thread: two f32 into 100 x 100 cells, speed over fast-histogram",
      1,
      over(ofType(one, JOINT), peer("fast-histogram")),
    ),
    most(
      "native, 1 thread: exact sums of weights, time over counting",
      2.5,
      times(weighing(), weighing("counts only")),
    ),
    most('native, 1 thread: "fast" sums of weights, time over the loop', 1.3, times(weighing("fast"), loops)),
    least(
      "core: speed over the loop that checks the range, up to 256 MiB",
      0.9,
      over(own("cpu", 1, "countSync"), checked),
    ),
    ...(["ordinary", "shared"] as const).map((memory) =>
      least(
        `piscina, 1 and 2 workers, ${memory} memory: speed over core`,
        1,
        over(
          rows.filter(
            (row) =>
              row.backend === "piscina" &&
              row.threads! <= 2 &&
              row.memory === (memory === "shared" ? memory : undefined),
          ),
          own("cpu", 1, "count"),
        ),
      ),
    ),
    most(
      "native: growth of memory while it counts 2 GiB",
      64,
      [...one, ...several]
        .filter((row) => bytesOf(row) >= 2 * GIB - 1 && row.grownBytes !== undefined)
        .map((row) => ({ value: row.grownBytes! / MIB, row })),
      "MiB",
    ),
  ];
}

/** Pairs rows with those of the same samples. */
function pairs(ours: readonly Row[], theirs: readonly Row[], of: (mine: Row, other: Row) => number): Value[] {
  const key = ({ type, bins, n, distribution }: Row) => [type, bins, n, distribution].join();
  const others = new Map(theirs.map((row) => [key(row), row]));
  return ours.flatMap((row) => {
    const other = others.get(key(row));
    return other === undefined ? [] : [{ value: of(row, other), row }];
  });
}

const over = (ours: readonly Row[], theirs: readonly Row[]) => pairs(ours, theirs, (a, b) => us(b) / us(a));
const times = (ours: readonly Row[], theirs: readonly Row[]) => pairs(ours, theirs, (a, b) => us(a) / us(b));
const more = (ours: readonly Row[], theirs: readonly Row[]) => pairs(ours, theirs, (a, b) => us(a) - us(b));

/** Keeps the largest size of each type. */
function largest(values: readonly Value[]): Value[] {
  const byType = Map.groupBy(values, ({ row: { type, bins } }) => `${type} ${bins}`);
  return [...byType.values()].map((same) => same.toSorted((a, b) => b.row.n - a.row.n)[0]!);
}

/** Compares each number of threads with the next smaller one. A difference that may be noise is none. */
function slowdowns(rows: readonly Row[]): Value[] {
  const cells = Map.groupBy(rows, ({ type, bins, n, distribution, call, variant }) =>
    [type, bins, n, distribution, call, variant].join(),
  );
  return [...cells.values()].flatMap((same) => {
    const inOrder = same.toSorted((a, b) => a.threads! - b.threads!);
    return inOrder.slice(1).map((row, i) => {
      const fewer = inOrder[i]!;
      const ratio = us(row) / us(fewer);
      const noise = noiseOf(fewer.ms, row.ms, NOISE);
      return { value: ratio > 1 + noise || ratio < 1 / (1 + noise) ? ratio : 1, row };
    });
  });
}

const goalOf =
  (isLeast: boolean) =>
  (what: string, wanted: number, values: readonly Value[], unit = "times"): Goal => {
    const reaches = ({ value }: Value) => (isLeast ? value >= wanted : value <= wanted);
    const [worst] = values.toSorted((a, b) => (isLeast ? a.value - b.value : b.value - a.value));
    return {
      ...{
        what,
        wanted,
        unit,
        least: isLeast,
        cells: values.length,
        reaching: values.filter(reaches).length,
      },
      worst: worst === undefined ? null : { value: worst.value, cell: cellOf(worst.row) },
    };
  };
const least = goalOf(true);
const most = goalOf(false);

/** Names a cell as briefly as a table allows: "u8 gauss, 16 MiB". */
function cellOf(row: Row): string {
  const { type, bins, distribution, threads } = row;
  const parts = [
    `${type} ${distribution}`,
    ...(bins === 256 || type === JOINT ? [] : [`${figure(bins)} bins`]),
    sizeOf(row),
    ...(threads === 1 ? [] : [`${threads} threads`]),
  ];
  return parts.join(", ");
}

function sizeOf(row: Row): string {
  const bytes = bytesOf(row);
  const unit = bytes >= GIB ? GIB : bytes >= MIB ? MIB : bytes >= KIB ? KIB : 1;
  const name = { [GIB]: "GiB", [MIB]: "MiB", [KIB]: "KiB", 1: "bytes" }[unit];
  return `${figure(bytes / unit)} ${name}`;
}

/**
 * Lists awaited calls by size and number of threads: the worst time over that with fewer threads, if it is more than noise,
 * and the share of the cells that are slower.
 */
export function threadLines(rows: readonly Row[]): string[][] {
  const ours = rows.filter(
    ({ backend, call, memory }) => backend === "native" && call === "count" && memory === undefined,
  );
  const values = slowdowns(ours);
  const threads = [...new Set(values.map(({ row }) => row.threads!))].toSorted((a, b) => a - b);
  const sizes = Map.groupBy(
    values.toSorted((a, b) => bytesOf(a.row) - bytesOf(b.row)),
    ({ row }) => sizeOf(row),
  );
  const lines = [...sizes].map(([size, of]) => [
    size,
    ...threads.map((count) => {
      const same = of.filter(({ row }) => row.threads === count);
      const slower = same.filter(({ value }) => value > 1);
      if (same.length === 0) return "";
      const worst = Math.max(...slower.map(({ value }) => value));
      const share = `${slower.length} of ${same.length}`;
      return slower.length === 0 ? `none of ${same.length}` : `**${share}**, up to ${figure(worst)} times`;
    }),
  ]);
  return lines.length === 0 ? [] : [["bytes", ...threads.map((count) => `${count} threads`)], ...lines];
}

/** Writes what was measured: "0.92 times (u8 zeros, 16 MiB); 93 of 100 cells reach it". */
export function foundText({ worst, unit, cells, reaching }: Goal): string {
  if (worst === null) return "not measured";
  const count = cells === 1 ? "" : `; ${reaching} of ${cells} cells reach it`;
  return `${figure(worst.value)} ${unit} (${worst.cell})${count}`;
}

/** Writes a goal: "at least 1 times". */
export function wantedText({ least: isLeast, wanted, unit }: Goal): string {
  return `at ${isLeast ? "least" : "most"} ${wanted} ${unit}`;
}

/** Whether all cells reach a goal. */
export function isReached({ cells, reaching }: Goal): boolean {
  return cells > 0 && cells === reaching;
}

/** Writes one line for readers of a run. */
export function goalText(goal: Goal): string {
  return `${isReached(goal) ? "reached" : "MISSED "}  ${goal.what}: ${wantedText(goal)}; the worst: ${foundText(goal)}`;
}
