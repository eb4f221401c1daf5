import { numbersOf } from "../data.ts";
import type { Figure } from "../model.ts";
import { level, rule } from "../readings/index.ts";
import { asInPaper } from "./rows.ts";

const [paper, id] = ["xu", "table-3"] as const;
const SERIES = "10^9 documents per gigabyte";
const numbers = numbersOf(paper, id, "conversion");

export const table3: Figure = {
  paper,
  id,
  title: "Table 3: documents per gigabyte",
  source: "5.2 and Table 3",
  lost: null,
  needs: "gpu",
  command: "run bench weighted-paper",
  panels: [
    {
      id: "conversion",
      title: "Documents per gigabyte by bins",
      mark: "bar",
      x: { label: "bins", scale: "category" },
      y: { label: "10^9 documents", scale: "linear" },
      paper: numbers,
      wanted: numbers.map(({ series, x }) => ({ series, x })),
      // Rows hold both measures, from the same times.
      ours: (measured) =>
        asInPaper(measured.sums("Table 7"))
          .filter(({ algorithm }) => algorithm === "weighted-collision")
          .flatMap(({ bins, gbps, valuesPerSecond }) =>
            valuesPerSecond === undefined
              ? []
              : [{ series: SERIES, x: String(bins), y: valuesPerSecond / 1e9 / gbps }],
          ),
    },
  ],
  rules: numbers.map(({ x }) => rule("conversion", `${x} bins`, "Table 3", level({ series: SERIES, x }, ""))),
  notes: [
    "The text next to the table converts 98.3 GB/s of half bytes to 49.2 x 10^9 documents per second. By the table it is 196.6 x 10^9.",
    "The table lists 256 bins twice, with one and with two bytes. Polybin stores 256 bins in one byte, as the paper does elsewhere.",
  ],
};
