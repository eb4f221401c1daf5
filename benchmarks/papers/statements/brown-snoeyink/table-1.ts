import type { Statement } from "../statement.ts";

const TABLE_1 = "benchmarks/src/suites/table1.ts#table1";

/** Table 1 of Brown & Snoeyink: the profiler's counters. */
export const table1: readonly Statement[] = [
  {
    where: "5.2, Table 1",
    kind: "claim",
    says: "TRISH uses 36 registers per thread, Podlozhnyuk's method 18 and Nugteren's 42.",
    code: { at: [TABLE_1] },
    report: { figure: "brown-snoeyink-table-1", panels: ["counters"] },
  },
  {
    where: "6.3, Table 1",
    kind: "claim",
    says: "The throughputs under the profiler are 40.02, 27.03 and 11.25 GB/s.",
    code: { at: [TABLE_1] },
    report: { figure: "brown-snoeyink-table-1", claims: ["Throughput GB/s, by method"] },
  },
  {
    where: "6.3, Table 1",
    kind: "claim",
    says: "TRISH takes 11.71 instructions per byte, Podlozhnyuk's method 23.42 and Nugteren's 6.11. All are above the balanced 4.00:1.",
    code: { at: [TABLE_1] },
    report: { figure: "brown-snoeyink-table-1", claims: ["Ins/Byte, by method"] },
  },
  {
    where: "6.3, Table 1",
    kind: "claim",
    says: "TRISH issues 6,140,046 instructions, Podlozhnyuk's method 12,292,604 and Nugteren's 6,039,095.",
    code: {
      at: [TABLE_1],
      differs: "The printed counts are a quarter of those that follow from instructions per byte and n.",
    },
    report: {
      figure: "brown-snoeyink-table-1",
      claims: ["II, by method", "Podlozhnyuk's method issues more instructions than TRISH"],
    },
  },
  {
    where: "6.3, Table 1",
    kind: "claim",
    says: "TRISH retires 1.18 instructions per cycle, Podlozhnyuk's method 1.58 and Nugteren's 0.34, of at most 2.0.",
    code: { at: [TABLE_1] },
    report: {
      figure: "brown-snoeyink-table-1",
      claims: ["IPC, by method", "Nugteren's method retires fewer instructions per cycle than TRISH"],
    },
  },
  {
    where: "6.3, Table 1",
    kind: "claim",
    says: "TRISH has 0 bank conflicts, Podlozhnyuk's method 2,469,684 and Nugteren's 7,680.",
    code: { at: [TABLE_1] },
    report: { figure: "brown-snoeyink-table-1", claims: ["Bank Conflicts, by method"] },
  },
  {
    where: "6.3, Table 1",
    kind: "claim",
    says: "TRISH needs 5,203,429 cycles, Podlozhnyuk's method 7,780,130 and Nugteren's 17,762,045.",
    code: { at: [TABLE_1] },
    report: { figure: "brown-snoeyink-table-1", claims: ["Cycles II/IPC, by method"] },
  },
  {
    where: "6.3, Table 1",
    kind: "claim",
    says: "TRISH takes 8,844 branches without divergence, Podlozhnyuk's method 1,663,119 with 940,361 divergent ones, Nugteren's 1,677.",
    code: { at: [TABLE_1] },
    report: { figure: "brown-snoeyink-table-1", panels: ["counters"] },
  },
  {
    where: "6.3, Table 1",
    kind: "claim",
    says: "20.09% of the instructions of Podlozhnyuk's method are replays, 8.32% of Nugteren's and 0.00% of TRISH's.",
    code: { at: [TABLE_1] },
    report: { figure: "brown-snoeyink-table-1", panels: ["counters"] },
  },
  {
    where: "6.3, Table 1",
    kind: "claim",
    says: "On average 5.94, 44.47 and 2.98 warps are active per cycle.",
    code: { at: [TABLE_1] },
    report: { figure: "brown-snoeyink-table-1", panels: ["counters"] },
  },
  {
    where: "6.3, Table 1",
    kind: "claim",
    says: "By throughput Podlozhnyuk's method takes 1.48 and Nugteren's 3.56 times as long as TRISH, by cycles 1.50 and 3.41 times.",
    code: { at: [TABLE_1] },
    report: {
      figure: "brown-snoeyink-table-1",
      claims: [
        "Throughput Perf Ratio of Podlozhnyuk's method",
        "Throughput Perf Ratio of Nugteren's method",
        "Cycles Perf Ratio of Podlozhnyuk's method",
        "Cycles Perf Ratio of Nugteren's method",
      ],
    },
  },
  {
    where: "6.3, Table 1",
    kind: "claim",
    says: "The times are 6,545.41, 9,745.44 and 22,631.20 ns.",
    code: {
      at: [TABLE_1],
      differs: "Read as microseconds, they fit 268,435,456 bytes within 6%. They do not fit the stated n.",
    },
    report: { figure: "brown-snoeyink-table-1", claims: ["Time for 268,435,456 bytes, by method"] },
  },
];
