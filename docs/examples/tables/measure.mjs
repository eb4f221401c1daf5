// Times each library with polybin's results and with its own binning, alternately: from a column or a JPEG to the finished SVG,
// table or pixels.
//
//   node --max-old-space-size=6000 measure.mjs [ROWS] [ROUNDS]     Default: 10000000 rows, 3 rounds
import { cpus } from "node:os";
import { openEngine } from "@polybin/core";
import { piscina } from "@polybin/piscina";
import { parseHTML } from "linkedom";
import sharp from "sharp";
import { bars } from "./bars.ts";
import { flights, PICTURE } from "./data.ts";
import { grouped } from "./grouped.ts";
import { levelled } from "./levels.ts";
import { plotted } from "./plot.ts";
import { binnedByPlot, binnedByVega, groupedByArquero, normalised } from "./replaced.ts";

const rows = Number(process.argv[2] ?? 10_000_000);
const rounds = Number(process.argv[3] ?? 3);
const engine = await openEngine({ backends: [piscina()] });
const table = flights(rows);
const { delay } = table.data();
const { document } = parseHTML("<!doctype html><html></html>");
const photo = await sharp(PICTURE).resize(6000, 4000).jpeg().toBuffer();
const edges = Array.from({ length: 41 }, (_, i) => -20 + 4 * i);

const PAIRS = [
  [
    "sharp: levels, 24 megapixels",
    async () => (await levelled(engine, photo)).raw().toBuffer(),
    "normalise",
    () => normalised(photo).raw().toBuffer(),
  ],
  [
    "Observable Plot",
    async () => (await plotted(engine, delay, document)).outerHTML,
    "binX",
    () => binnedByPlot(delay, edges, document).outerHTML,
  ],
  ["Arquero", () => grouped(engine, table), "bin, groupby, count", () => groupedByArquero(table)],
  ["Vega-Lite", () => bars(engine, delay), "bin, aggregate", () => binnedByVega(delay, 4)],
];

async function timed(program) {
  const start = performance.now();
  await program();
  return performance.now() - start;
}
const median = (all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)];
const shown = (times) =>
  `${Math.round(median(times)).toLocaleString("en")} ms (${Math.round(Math.min(...times)).toLocaleString("en")} to ${Math.round(Math.max(...times)).toLocaleString("en")})`;

console.log(
  `${rows.toLocaleString("en")} rows, ${rounds} rounds, ${engine.backend}, Node ${process.version}, ${cpus()[0].model}, ${cpus().length} cores\n`,
);
console.log("| library | with polybin's results | with its own binning | by |");
console.log("|---|---|---|---|");
for (const [name, ours, by, own] of PAIRS) {
  const times = { ours: [], own: [] };
  await ours(); // polybin and the library warm up
  for (let round = 0; round < rounds; round++) {
    times.ours.push(await timed(ours));
    try {
      times.own.push(await timed(own));
    } catch (error) {
      times.failure = error.message;
    }
  }
  console.log(`| ${name} | ${shown(times.ours)} | ${times.failure ?? shown(times.own)} | ${by} |`);
}
await engine.close();
