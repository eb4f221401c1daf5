// Each result is that of the library's own binning, and docs/examples/tables/output holds what main.ts writes.
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openEngine } from "@polybin/core";
import { parseHTML } from "linkedom";
import sharp from "sharp";
import { expect, test } from "vitest";
import { bars } from "../bars.ts";
import { flights, PICTURE } from "../data.ts";
import { grouped } from "../grouped.ts";
import { levelled } from "../levels.ts";
import { plotted } from "../plot.ts";
import { binnedByPlot, binnedByVega, groupedByArquero } from "../replaced.ts";

const engine = await openEngine();
const table = flights(20_000);
const { delay } = table.data() as { delay: Float64Array };

test("Observable Plot draws the same bars as from its own bins", async () => {
  const { document } = parseHTML("<!doctype html><html></html>");
  const rectangles = (plot: Element) =>
    [...plot.querySelectorAll("rect")].map((bar) =>
      ["x", "y", "width", "height"].map((name) => Number(bar.getAttribute(name))),
    );
  const found = rectangles(await plotted(engine, delay, document));
  const { edges } = await engine.histogram(delay, { bins: 40, range: [-20, 140] });
  const own = rectangles(binnedByPlot(delay, [...edges], document));
  // Plot leaves out bins without samples.
  expect(found.filter(([, , , height]) => height! > 0)).toEqual(own);
  expect(own.length).toBeGreaterThan(30);
});

test("Arquero counts the same groups", async () => {
  const counts = (rows: object[]) =>
    (rows as { carrier: number; x0: number; length?: number; count?: number }[])
      .map(({ carrier, x0, length, count }) => [carrier, x0, length ?? count])
      .filter(([, , count]) => count! > 0);
  const found = counts((await grouped(engine, table)).objects());
  expect(found).toEqual(counts(groupedByArquero(table).objects()));
  expect(found.reduce((sum, [, , count]) => sum + count!, 0)).toBe(20_000);
});

test("Vega-Lite draws the same bars as from its own bins", async () => {
  const labels = (svg: string) =>
    [...svg.matchAll(/aria-label="(Delay \(min\): [^"]+)"/g)]
      .map(([, label]) => label!)
      .filter((label) => !label.endsWith(" 0"))
      .sort();
  const found = labels(await bars(engine, delay));
  expect(found).toEqual(labels(await binnedByVega(delay, 4)));
  expect(found.length).toBeGreaterThan(30);
});

test("sharp writes a picture whose channels reach from black to white", async () => {
  const { data } = await (await levelled(engine, PICTURE)).raw().toBuffer({ resolveWithObject: true });
  const before = await engine.histograms({ data: await sharp(PICTURE).raw().toBuffer(), channels: 3 });
  const after = await engine.histograms({ data, channels: 3 });
  for (const [channel, { counts }] of after.entries()) {
    const samples = data.length / 3;
    // One percent lies at each end, or more in a picture with few colours. Before, none or few do.
    expect(counts[0]! / samples, `black of ${channel}`).toBeGreaterThan(0.0099);
    expect(counts[255]! / samples, `white of ${channel}`).toBeGreaterThan(0.0099);
    expect(before[channel]!.counts[0]! / samples).toBeLessThan(0.0099);
  }
});

test("the program writes the files of the page", async () => {
  const page = join(import.meta.dirname, "../output");
  const folder = await mkdtemp(join(tmpdir(), "polybin-tables-"));
  try {
    await promisify(execFile)(process.execPath, [join(import.meta.dirname, "../main.ts"), folder]);
    const names = await readdir(folder);
    expect(names.sort()).toEqual((await readdir(page)).sort());
    for (const name of names) {
      const [found, kept] = await Promise.all([folder, page].map((where) => readFile(join(where, name))));
      if (!name.endsWith(".png")) expect(found!.toString(), name).toBe(kept!.toString());
      else expect(await sharp(found).raw().toBuffer(), name).toEqual(await sharp(kept).raw().toBuffer());
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
