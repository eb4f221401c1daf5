// Where each algorithm keeps its counters, as its kernels and core's references do. The numbers come from the plan. A
// layout that does not fill the memory of its plan exactly is an error, so a drawing cannot differ from the plan.
import type { CellsPlan, ChannelsPlan } from "@polybin/core";
import type { SumsPlan } from "@polybin/core/backend";
import type { Planned } from "./plans.ts";

/** A counter or a sum, or a part of it. */
export interface Counter {
  readonly bin: number;
  /** The table that it belongs to: that of a thread, a warp, a lane. */
  readonly replica: number;
  /** Its first bit within the area, and its width. */
  readonly bit: number;
  readonly bits: number;
}

/** A part of the memory. */
export interface Area {
  readonly label: string;
  readonly bytes: number;
  /** Absent: it holds no counters. */
  readonly counters?: readonly Counter[];
}

/** The memory of one block, or of one table in global memory or in that of a CPU. */
export interface Memory {
  readonly areas: readonly Area[];
  /** The owner of a table, such as "thread". Null: there is one table. */
  readonly owner: string | null;
}

const WORD = 32;

/** The counters of all bins of all tables, each at the place that a rule gives. */
function counters(
  bins: number,
  replicas: number,
  bits: number,
  bitOf: (bin: number, replica: number) => number,
): Counter[] {
  return Array.from({ length: bins * replicas }, (_, i) => {
    const [bin, replica] = [Math.floor(i / replicas), i % replicas];
    return { bin, replica, bit: bitOf(bin, replica), bits };
  });
}

/** An area of counters with nothing between them. */
function area(label: string, of: readonly Counter[]): Area {
  return { label, bytes: of.reduce((sum, { bits }) => sum + bits, 0) / 8, counters: of };
}

/** A row for each bin, and in it a counter for each table. */
const rowPerBin =
  ({ replicas, counterBits }: Pick<ChannelsPlan, "replicas" | "counterBits">) =>
  (bin: number, replica: number): number =>
    (bin * replicas + replica) * counterBits;

/** A word for each thread and some bins. The bins of a word follow one another. */
const wordPerThread =
  ({ replicas, counterBits }: Pick<ChannelsPlan, "replicas" | "counterBits">) =>
  (bin: number, replica: number): number => {
    const perWord = WORD / counterBits;
    return (Math.floor(bin / perWord) * replicas + replica) * WORD + (bin % perWord) * counterBits;
  };

type Rule = (plan: ChannelsPlan) => Memory;

const oneTable =
  (label: string): Rule =>
  ({ cells }) => ({
    areas: [
      area(
        label,
        counters(cells, 1, WORD, (bin) => bin * WORD),
      ),
    ],
    owner: null,
  });

const LAYOUTS: Readonly<Record<string, Rule>> = {
  sequential: oneTable("one table"),
  multithreaded: oneTable("one thread's table"),
  global: oneTable("one table for all threads"),
  "per-block": oneTable("the block's table"),
  "per-lane": (plan) => ({
    areas: [area("tables", counters(plan.cells, plan.replicas, plan.counterBits, rowPerBin(plan)))],
    owner: "lane",
  }),
  "per-segment": (plan) => ({
    areas: [
      area("tables of one segment", counters(plan.cells, plan.replicas, plan.counterBits, rowPerBin(plan))),
    ],
    owner: "thread",
  }),
  "per-warp": ({ cells, replicas }) => ({
    areas: [
      area(
        "tables",
        counters(cells, replicas, WORD, (bin, warp) => (warp * cells + bin) * WORD),
      ),
    ],
    owner: "warp",
  }),
  "per-thread": (plan) => ({
    areas: [area("tables", counters(plan.cells, plan.replicas, plan.counterBits, wordPerThread(plan)))],
    owner: "thread",
  }),
  privatized: (plan) => ({
    areas: [area("tables", counters(plan.cells, plan.replicas, plan.counterBits, wordPerThread(plan)))],
    owner: "thread",
  }),
  trish: (plan) => ({
    areas: [area("tables", counters(plan.cells, plan.replicas, plan.counterBits, wordPerThread(plan)))],
    owner: "thread",
  }),
  "per-thread-64": ({ cells, replicas, counterBits, own }) => {
    // The swizzle: neighbouring threads use different banks, and a word has threads that are `banks` apart.
    const column = (thread: number): number => {
      const perWord = WORD / counterBits;
      const banks = own!.banks!;
      const group = thread - (thread % (banks * perWord));
      return group + (thread % banks) * perWord + (Math.floor(thread / banks) % perWord);
    };
    return {
      areas: [
        area(
          "tables",
          counters(
            cells,
            replicas,
            counterBits,
            (bin, thread) => (bin * replicas + column(thread)) * counterBits,
          ),
        ),
      ],
      owner: "thread",
    };
  },
  "bank-owned": ({ cells, sharedBytes }) => {
    const table = area(
      "the block's table",
      counters(cells, 1, WORD, (bin) => bin * WORD),
    );
    return {
      areas: [{ label: "a tile of the samples", bytes: sharedBytes - table.bytes }, table],
      owner: null,
    };
  },
};

/** Copies of a table with gaps, so that cells which differ in one column lie in different banks. */
function fused({ cells, columns, replicas, counterBits, own, sharedBytes }: CellsPlan): Memory {
  const [first, second] = columns.map(({ extent }) => extent) as [number, number];
  const pitch = (own!.slots! - second) / (first - 1);
  const slot = (cell: number): number => Math.floor(cell / second) * pitch + (cell % second);
  return {
    areas: [
      {
        label: "tables with gaps",
        bytes: sharedBytes,
        counters: counters(
          cells,
          replicas,
          counterBits,
          (cell, lane) => (slot(cell) * replicas + lane) * counterBits,
        ),
      },
    ],
    owner: "lane",
  };
}

type WeightedRule = (plan: SumsPlan) => Memory;

/** Planes of a word per bin, one after the other. */
const planes = (names: readonly string[], bins: number): Area[] =>
  names.map((name) =>
    area(
      name,
      counters(bins, 1, WORD, (bin) => bin * WORD),
    ),
  );

const SHARED_PLANES = ["counts", "sums, lower words", "sums, upper words"];

const WEIGHTED: Readonly<Record<string, WeightedRule>> = {
  "weighted-sequential": ({ bins, counterBits, sumBits }) => ({
    areas: [
      area(
        "counts",
        counters(bins, 1, counterBits, (bin) => bin * counterBits),
      ),
      area(
        "sums, as doubles",
        counters(bins, 1, sumBits, (bin) => bin * sumBits),
      ),
    ],
    owner: null,
  }),
  "weighted-collision": ({ binsPerPass }) => ({ areas: planes(SHARED_PLANES, binsPerPass), owner: null }),
  "weighted-collision-free": ({ binsPerPass, replicas, counterBits, sumBits }) => ({
    areas: [
      area(
        "counts",
        counters(binsPerPass, replicas, counterBits, wordPerThread({ replicas, counterBits: 16 })),
      ),
      area(
        "sums",
        counters(binsPerPass, replicas, sumBits, (bin, thread) => (bin * replicas + thread) * sumBits),
      ),
    ],
    owner: "thread",
  }),
  "weighted-collision-reduced": ({ binsPerPass, threads, parameters }) => {
    const bytes = (Number(parameters.buffer) * threads * WORD) / 8;
    return {
      areas: [
        { label: "buffers: values and counts", bytes },
        { label: "buffers: sums", bytes },
        ...planes(SHARED_PLANES, binsPerPass),
      ],
      owner: null,
    };
  },
  "weighted-fixed-point": ({ binsPerPass, replicas, featuresPerBlock, counterBits, sumBits }) => {
    const perCell = (counterBits + sumBits) / WORD;
    return {
      areas: Array.from({ length: featuresPerBlock }, (_, feature) =>
        area(
          `feature ${feature}`,
          Array.from({ length: perCell }, (_, plane) =>
            counters(
              binsPerPass,
              replicas,
              WORD,
              (bin, lane) => ((bin * perCell + plane) * replicas + lane) * WORD,
            ),
          ).flat(),
        ),
      ),
      owner: "lane",
    };
  },
};

/** Returns the memory of a plan. @throws if no layout is known, or if it does not fill the memory of the plan */
export function memoryOf({ slug, of }: Planned): Memory {
  const rules: Readonly<Record<string, ((plan: never) => Memory) | undefined>> =
    of.kind === "joint" ? { fused } : of.kind === "weighted" ? WEIGHTED : LAYOUTS;
  const rule = rules[slug];
  if (rule === undefined) throw new Error(`${slug}: expected a layout in docs/site/build/drawing/areas.ts`);
  const memory = rule(of.plan as never);
  check(slug, memory, of.plan);
  return memory;
}

/** Checks that no two counters share a bit, that all are within their area, and that the areas take the plan's bytes. */
function check(slug: string, { areas }: Memory, { sharedBytes }: Pick<ChannelsPlan, "sharedBytes">): void {
  for (const { label, bytes, counters = [] } of areas) {
    const sorted = counters.toSorted((a, b) => a.bit - b.bit);
    let end = 0;
    for (const { bin, replica, bit, bits } of sorted) {
      if (bit < end)
        throw new Error(`${slug}, ${label}: the counter of bin ${bin} in table ${replica} overlaps another`);
      end = bit + bits;
    }
    if (end > bytes * 8)
      throw new Error(`${slug}, ${label}: expected at most ${bytes} bytes but the layout takes ${end / 8}`);
  }
  const bytes = areas.reduce((sum, area) => sum + area.bytes, 0);
  if (sharedBytes > 0 && bytes !== sharedBytes) {
    throw new Error(`${slug}: expected the ${sharedBytes} bytes of the plan but the layout takes ${bytes}`);
  }
}
