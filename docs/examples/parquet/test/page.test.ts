// The page in Chromium: it fetches one column of the file, and the brush counts its rows.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import { openTable } from "@polybin/columns";
import { findingsOf } from "@polybin/testbed/axe";
import { launchChromium } from "@polybin/testbed/chromium";
import { openPage } from "@polybin/testbed/page";
import { parquetWriteBuffer } from "hyparquet-writer";
import type { Browser, Page } from "playwright-core";
import { createServer, type PreviewServer, preview } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const FILE = new URL("../dist/rides.parquet", import.meta.url);

let browser: Browser | string;
let server: PreviewServer;
let address: string;
beforeAll(async () => {
  [browser, server] = await Promise.all([
    launchChromium(),
    preview({ root: ROOT, logLevel: "silent", preview: { host: "127.0.0.1", port: 0 } }),
  ]);
  address = server.resolvedUrls!.local[0]!;
});
afterAll(async () => {
  if (typeof browser !== "string") await browser.close();
  await server.close();
});

/** The values of a column, as Node reads them. */
async function columnOf(name: string): Promise<number[]> {
  await using table = await openTable(fileURLToPath(FILE));
  const values: number[] = [];
  for await (const { columns } of table.read({ columns: [name] })) {
    const [chunk] = columns;
    if (chunk !== undefined && "values" in chunk)
      for (const value of chunk.values) values.push(Number(value));
  }
  return values;
}

const fetched = async (page: Page, column: string): Promise<number> => {
  const status = page.locator("#status", {
    hasText: new RegExp(`^${column}: [\\d,]+ bytes in \\d+ requests`),
  });
  return Number((await status.textContent())!.replace(/^\w+: ([\d,]+) .*/, "$1").replaceAll(",", ""));
};

const selected = async (page: Page): Promise<number> =>
  Number((await page.locator("#selected").textContent())!.replace(/ rows.*/, "").replaceAll(",", ""));

test("one column is fetched by ranges, and any drag brushes it; the keyboard does the same", async (ctx) => {
  if (typeof browser === "string") return ctx.skip(browser);
  await using opened = await openPage(browser, `${address}?column=fare`, {
    viewport: { width: 390, height: 900 },
  });
  const { page, problems } = opened;
  const all = (await readFile(FILE)).length;
  const bytes = await fetched(page, "fare");
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(all / 2);
  const fares = await columnOf("fare");
  expect(await selected(page)).toBe(fares.length);

  const box = (await page.locator("#area").boundingBox())!;
  await page.mouse.move(box.x + 0.2 * box.width, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.3 * box.width, box.y + 20, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => selected(page)).toBeLessThan(fares.length);

  await page.locator("#low").fill("10");
  await page.keyboard.press("Tab");
  await page.locator("#high").fill("12.5");
  await page.keyboard.press("Tab");
  const wanted = fares.filter((fare) => fare >= 10 && fare <= 12.5).length;
  await expect.poll(() => selected(page)).toBe(wanted);
  expect(await findingsOf(page)).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);

  await page.selectOption("#column", "passengers");
  expect(await fetched(page, "passengers")).toBeGreaterThan(bytes);
  expect(problems).toEqual([]);
});

test("the page of `start`, which is not built, shows the same column", async (ctx) => {
  if (typeof browser === "string") return ctx.skip(browser);
  const start = await createServer({
    root: ROOT,
    logLevel: "silent",
    server: { host: "127.0.0.1", port: 0 },
  });
  try {
    await start.listen();
    await using opened = await openPage(browser, `${start.resolvedUrls!.local[0]!}?column=fare`);
    await fetched(opened.page, "fare");
    expect(await selected(opened.page)).toBe((await columnOf("fare")).length);
  } finally {
    await start.close();
  }
});

test("a file that is missing or no table is named, and why", async (ctx) => {
  if (typeof browser === "string") return ctx.skip(browser);
  const status = async (file: string): Promise<string> => {
    await using opened = await openPage(browser as Browser, `${address}?file=${file}`);
    const told = opened.page.locator('#status[data-error="true"]');
    return (await told.textContent())!;
  };
  expect(await status("index.html")).toMatch(/^index\.html: expected a table of a known format/);
  // Nothing listens there.
  expect(await status("http://127.0.0.1:1/a.parquet")).toMatch(
    /^a\.parquet: expected a file that can be fetched/,
  );
});

test.for([
  ["GZIP", gzipSync],
  ["BROTLI", brotliCompressSync],
  ["ZSTD", zstdCompressSync],
] as const)("pages that are packed by %s", async ([codec, pack], ctx) => {
  if (typeof browser === "string") return ctx.skip(browser);
  const data = Float64Array.from({ length: 5000 }, (_, row) => row % 50);
  const bytes = Buffer.from(
    parquetWriteBuffer({
      columnData: [{ name: "x", data, type: "DOUBLE", encoding: "PLAIN" }],
      codec,
      compressors: { [codec]: (page: Uint8Array) => pack(page) },
    }),
  );
  await using opened = await openPage(browser, `${address}404.html`);
  const { page } = opened;
  await page.route("**/packed.parquet", (route) => {
    const [, from, to] = /bytes=(\d*)-(\d*)/.exec(route.request().headers().range ?? "") ?? [];
    const start = from ? Number(from) : bytes.length - Number(to);
    const end = from && to ? Math.min(Number(to) + 1, bytes.length) : bytes.length;
    const headers = {
      "content-range": `bytes ${start}-${end - 1}/${bytes.length}`,
      "accept-ranges": "bytes",
    };
    return route.fulfill({ status: 206, headers, body: bytes.subarray(start, end) });
  });
  await page.goto(`${address}?file=packed.parquet`);
  await fetched(page, "x");
  expect(await selected(page)).toBe(data.length);
});
