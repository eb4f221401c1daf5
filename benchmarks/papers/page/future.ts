import { countersOf } from "../causes.ts";
import type { Measured } from "../measured.ts";
import { digits } from "../readings/index.ts";
import { type Cell, NONE, type Section, tableOf } from "./page.ts";

/** A wish of Brown & Snoeyink, and rows of `types` that show it: the type in the rows, and the number of bins. */
const WISHES = [
  ["more than 256 bins", "u16", 1024],
  ["more than 256 bins", "u16", 65_536],
  ["other data types", "f32", 256],
  ["other data types", "f64", 256],
] as const;

const METHOD = "per-lane";
const IPC = "IPC";

/** Says what became of Brown & Snoeyink's future directions. */
export function future(main: Measured): Section {
  const { backend } = main;
  const rows = WISHES.map(([wish, type, bins]): Cell[] => {
    const [row] = main.rowsOf(
      `${backend}-types`,
      (one) =>
        one.algorithm === METHOD && one.type === type && one.bins === bins && one.distribution === "uniform",
    );
    const what = `\`${METHOD}\`, ${type}, ${bins.toLocaleString("en-US")} bins`;
    return [wish, what, row === undefined ? "not measured" : `${digits(row.gbps)} GB/s`];
  });
  const counted = countersOf(main).filter(({ distribution }) => distribution === "uniform");
  const ipc = (["trish", METHOD] as const).map((slug): Cell[] => {
    const found = counted.find(({ algorithm }) => algorithm === slug)?.terms[IPC]?.value;
    return ["a higher IPC than 1.18", `\`${slug}\`, bytes`, found == null ? "not measured" : digits(found)];
  });
  return {
    id: "future",
    title: "Brown & Snoeyink's future directions",
    text: [
      "The paper ends with four wishes: more bins, other data types, a higher IPC, and counting with the floating-point units. These are polybin's numbers for them.",
    ],
    table: tableOf(
      ["wish", "measured", "now"],
      [...rows, ...ipc, ["counting with floating-point units", NONE, "not measured: no kernel counts so"]],
      3,
    ),
  };
}
