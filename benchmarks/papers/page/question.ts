import { digits, value } from "../readings/index.ts";
import { type Compared, LABELS, shownSides } from "../sides.ts";
import { type Cell, NONE, type Section, tableOf } from "./page.ts";

const FIGURE = "hardavellas-arrangements";
const SERIES = ["per thread", "per block", "per bank"] as const;
const DATA = ["uniform", "zeros", "ramp", "picture"] as const;

/** Answers the question that Hardavellas' slides leave open: the balance between conflicts, occupancy and reads. */
export function question(figures: readonly Compared[]): Section {
  const figure = figures.find(({ main }) => `${main.paper}-${main.id}` === FIGURE)!;
  const rows = shownSides(figure).map(({ id, of }): Cell[] => {
    const points = of.panels.find((panel) => panel.id === "throughput")!.ours;
    const found = SERIES.map((series) => {
      const all = DATA.map((x) => value(points, { series, x })).filter((y) => y !== null);
      return { series, worst: all.length < 2 ? null : Math.min(...all) };
    });
    const cells = found.map(({ worst }) => (worst === null ? "not measured" : digits(worst)));
    if (cells.includes("not measured")) return [LABELS[id], ...cells, NONE];
    const [best] = found.toSorted((a, b) => b.worst! - a.worst!);
    return [LABELS[id], ...cells, best!.series];
  });
  return {
    id: "question",
    title: "Hardavellas' open question",
    text: [
      "The slides ask for the right balance: atomics or privatization, conflicts or low occupancy, one read of the input or 32. Each number is the throughput on the slowest data in GB/s. The last column names the arrangement that is fastest there.",
    ],
    table: tableOf(["kernels", ...SERIES, "answer"], rows, 1),
  };
}
