import { atomicsAreInstructions } from "../causes.ts";
import { claimOf, numbersOf } from "../data.ts";
import type { Measured } from "../measured.ts";
import type { Figure, Point } from "../model.ts";
import { peakOf } from "../page/hardware.ts";
import { because, digits, level, order, rule } from "../readings/index.ts";
import { byLength, THEIRS } from "./rows.ts";

const [paper, id] = ["brown-snoeyink", "peak"] as const;
const SHARE = "share of the peak";
/** The paper's n: 67,108,864 bytes, and a picture of 2048 x 2048 for Nugteren's program. */
const N = 2 ** 26;
const SMALL = 2 ** 22;
const claim = (name: string) => claimOf(paper, id, name);

/** Throughput on uniform bytes as a share of the peak in percent, at each method's n. */
function shares(measured: Measured): Point[] {
  return sharesAt(measured, (series) => (series === "Nugteren" ? SMALL : N));
}

function sharesAt(measured: Measured, sizeOf: (series: string) => number): Point[] {
  const peak = peakOf(measured);
  if (peak === null) return [];
  const rows = measured.rows("figure6").filter(({ distribution }) => distribution === "uniform");
  return byLength(rows, ({ n }) => n)
    .filter(({ series, x }) => x === sizeOf(series))
    .map(({ series, y }) => ({ series, x: SHARE, y: (y / peak) * 100 }));
}

/** Four mebibytes do not fill the device. */
function largerIsFaster(measured: Measured): string | null {
  const of = (n: number) => sharesAt(measured, () => n).find(({ series }) => series === "Nugteren")?.y;
  const [small, large] = [of(SMALL), of(N)];
  if (small === undefined || large === undefined || large < 2 * small) return null;
  return `A picture of 2048 x 2048 no longer fills the device: with ${digits(N)} bytes the method reaches ${digits(large)}% of the peak instead of ${digits(small)}%.`;
}

export const peak: Figure = {
  paper,
  id,
  title: "Shares of the peak throughput",
  source: "Introduction, 4.1, 4.2 and Future Directions",
  lost: null,
  needs: "gpu",
  command: "run bench figure6",
  panels: [
    {
      id: "share",
      title: "Throughput on uniform bytes, % of the memory's peak",
      mark: "bar",
      x: { label: "", scale: "category" },
      y: { label: "%", scale: "linear" },
      paper: numbersOf(paper, id, "share"),
      wanted: THEIRS.map((series) => ({ series, x: SHARE })),
      ours: shares,
    },
  ],
  rules: [
    rule("share", "The three methods by their share", "4.1, 4.2", order(THEIRS)),
    ...["TRISH", "Podlozhnyuk"].map((series) =>
      because(
        rule(
          "share",
          `${series}'s share`,
          series === "TRISH" ? "Future Directions" : "4.1",
          level({ series, x: SHARE }, "%"),
        ),
        atomicsAreInstructions,
      ),
    ),
    because(
      rule(
        "share",
        "Nugteren's share, 2048 x 2048 bytes",
        "4.2",
        level({ series: "Nugteren", x: SHARE }, "%"),
      ),
      largerIsFaster,
    ),
  ],
  notes: [
    `The introduction rounds the earlier methods' shares to ${claim("earlier methods, least")} and ${claim("earlier methods, most")}%.`,
    "The peaks are those of the data sheets: 192.4 GB/s for the GTX 580 of the paper, and 4,800 GB/s for an H200.",
  ],
};
