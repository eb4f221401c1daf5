// The playground, as a static host below a folder serves it: no server of ours, no isolation, no other host.
import { integer, openEngine } from "@polybin/core";
import { decode } from "@polybin/pictures";
import { greyOf } from "@polybin/pictures/grey";
import { CAMERA, launchChromium } from "@polybin/testbed/chromium";
import { openPage } from "@polybin/testbed/page";
import { encode } from "fast-png";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { opened, SAMPLE, savedColumns, upload } from "./playground.ts";
import { PLAYGROUND, type StaticSite, staticSite } from "./static-site.ts";

let site: StaticSite;
let chromium: Browser | string;

beforeAll(async () => {
  [site, chromium] = await Promise.all([staticSite(PLAYGROUND), launchChromium(CAMERA)]);
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  if (typeof chromium !== "string") await chromium.close();
});

/** What the command's decoder and core's CPU count: a histogram per channel, and that of the luma. */
async function exact(bytes: Uint8Array, bins: number): Promise<number[][]> {
  const picture = await decode(bytes);
  const { data, channels } = picture;
  await using engine = await openEngine();
  const found = await engine.histograms(picture, { bins });
  const luma = await engine.histogram(greyOf(data, channels) as Uint8Array, { bins });
  return [...found.slice(0, 3), luma].map(({ counts }) => [...counts]);
}

/** 65,536 counts compare faster as bytes. */
const same = (found: readonly number[] | undefined, wanted: readonly number[] | undefined): boolean =>
  Buffer.from(Float64Array.from(found!).buffer).equals(Buffer.from(Float64Array.from(wanted!).buffer));

/** A picture of 16 bits whose values fill the range. */
const [width, height] = [60, 40];
const deep = Uint16Array.from({ length: 3 * width * height }, (_, i) => (i * 40_503) % 65_536);

test("a picture is counted at its own depth, clipped pixels are marked, and a region is chosen by pointer and keyboard", async (ctx) => {
  if (typeof chromium === "string") return ctx.skip(chromium);
  await using visit = await openPage(chromium, site.origin, { viewport: { width: 1280, height: 900 } });
  const { page, problems } = visit;
  expect(await page.evaluate("crossOriginIsolated || 'SharedArrayBuffer' in globalThis")).toBe(false);
  await opened(page, "evening.png");
  const [red, green, blue, luma] = await exact(await decodeFile(), 256);
  expect(await savedColumns(page)).toMatchObject({ red, green, blue, luma });
  // Other backends count once somebody asks for them.
  await page.locator("#backends > summary", { hasText: "Count it on other backends, too" }).click();
  await page.locator("#backends > summary", { hasText: "3 backends, 1,024 counts equal" }).waitFor();

  // The badge's share is that of the pixels with a colour at the end.
  await page.click('[data-end="high"]');
  await page.locator('canvas.marks[data-marks="high"]').waitFor();
  const picture = await decode(await decodeFile());
  let clipped = 0;
  for (let at = 0; at < picture.data.length; at += picture.channels)
    if (picture.data.subarray(at, at + 3).includes(255)) clipped += 1;
  expect(await page.locator('[data-end="high"] strong').textContent()).toBe(
    `${((100 * clipped) / (picture.width * picture.height)).toFixed(2)}%`,
  );

  const box = (await page.locator(".frame svg").boundingBox())!;
  await page.mouse.move(box.x + box.width / 4, box.y + box.height / 4);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.up();
  await page.locator(".facts", { hasText: "Region of" }).waitFor();
  await page.locator("#region summary").focus();
  await page.keyboard.press("Enter");
  // Each number is counted before the next one is typed: on a busy machine a count in between would draw the fields anew.
  for (const [name, value, told] of [
    ["x", "8", / at 8, /],
    ["y", "4", / at 8, 4: /],
    ["width", "20", /Region of 20 x /],
    ["height", "10", /Region of 20 x 10 at 8, 4: /],
  ] as const) {
    await page.locator(`[data-region="${name}"]`).fill(value);
    await page.keyboard.press("Tab");
    await page.locator(".facts", { hasText: told }).waitFor();
  }
  await page.locator(".facts", { hasText: "Region of 20 x 10 at 8, 4: 200 pixels" }).waitFor();
  const part = await savedColumns(page);
  await using engine = await openEngine();
  const region = { x: 8, y: 4, width: 20, height: 10 };
  const found = await engine.histograms({ ...plain(picture), region });
  expect(part.red).toEqual([...found[0]!.counts]);
  await page.locator("#whole").focus();
  await page.keyboard.press("Enter");
  await page.locator(".facts", { hasText: "drag over it to count a region" }).waitFor();
  expect(problems).toEqual([]);
});

const decodeFile = async (): Promise<Uint8Array> => (await import("node:fs/promises")).readFile(SAMPLE);
const plain = ({ data, width: w, height: h, channels }: Awaited<ReturnType<typeof decode>>) => ({
  data: data as Uint8Array,
  width: w,
  height: h,
  channels,
});

test("16 bits are counted as the command counts them; giants and damage are refused, and the last result stays", async (ctx) => {
  if (typeof chromium === "string") return ctx.skip(chromium);
  await using visit = await openPage(chromium, site.origin);
  const { page, problems } = visit;
  const png = encode({ width, height, channels: 3, depth: 16, data: deep });
  await page.setInputFiles("#file", upload("deep.png", png));
  await opened(page, "deep.png");
  const wanted = await exact(png, 65_536);
  const saved = await savedColumns(page);
  for (const [i, name] of ["red", "green", "blue", "luma"].entries())
    expect(same(saved[name], wanted[i]), name).toBe(true);

  // The header claims a size that nothing could hold.
  const giant = png.slice();
  new DataView(giant.buffer, giant.byteOffset).setUint32(16, 65_535);
  new DataView(giant.buffer, giant.byteOffset).setUint32(20, 65_535);
  await page.setInputFiles("#file", upload("giant.png", giant));
  await page
    .locator("#problem", { hasText: /giant\.png was not opened: .* its header states 65,535 x 65,535/ })
    .waitFor();
  const large = png.slice();
  new DataView(large.buffer, large.byteOffset).setUint32(16, 8_192);
  new DataView(large.buffer, large.byteOffset).setUint32(20, 8_192);
  await page.setInputFiles("#file", upload("large.png", large));
  await page
    .locator("#problem", { hasText: "8,192 x 8,192; polybin hist takes up to 536,870,912" })
    .waitFor();
  await page.setInputFiles("#file", upload("empty.png", ""));
  await page.locator("#problem", { hasText: "empty.png was not opened: it is empty" }).waitFor();
  const sample = await decodeFile();
  await page.setInputFiles("#file", upload("cut.png", sample.subarray(0, 6_000)));
  await page
    .locator("#problem", {
      hasText: /expected a whole PNG picture but it ends within a chunk of \d+ bytes, "IDAT"/,
    })
    .waitFor();
  const broken = png.slice();
  broken[broken.length - 30]! ^= 1;
  await page.setInputFiles("#file", upload("broken.png", broken));
  await page
    .locator("#problem", {
      hasText: "broken.png was not opened: expected a whole PNG picture but it is damaged",
    })
    .waitFor();
  expect(await page.locator(".facts").textContent()).toContain("deep.png");
  // Pixels with alpha are those of the file, which a canvas would not keep.
  const data = Uint8Array.of(200, 100, 50, 255, 200, 100, 50, 0, 200, 100, 50, 255);
  const clear = encode({ width: 3, height: 1, channels: 4, depth: 8, data });
  await page.setInputFiles("#file", upload("clear.png", clear));
  await opened(page, "clear.png");
  expect((await savedColumns(page)).red![200]).toBe(3);
  // Grey is one channel, and not three equal ones.
  const grey = encode({ width: 3, height: 1, channels: 1, depth: 8, data: Uint8Array.of(7, 7, 255) });
  await page.setInputFiles("#file", upload("grey.png", grey));
  await opened(page, "grey.png");
  const greys = await savedColumns(page);
  expect(Object.keys(greys)).toEqual(["value", "grey"]);
  expect([greys.grey![7], greys.grey![255]]).toEqual([2, 1]);
  expect(await page.locator("#problem").count()).toBe(0);
  expect(problems).toEqual([]);
});

test("pictures and numbers are pasted, and a column of a table is counted as core counts it", async (ctx) => {
  if (typeof chromium === "string") return ctx.skip(chromium);
  await using visit = await openPage(chromium, site.origin, { viewport: { width: 390, height: 900 } });
  const { page, problems } = visit;
  const paste = (body: string) =>
    page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      ${body}
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    })()`);
  await paste('clipboardData.setData("text/plain", "1, 2, x, 4");');
  await page.locator("#problem", { hasText: 'word 3 is "x"' }).waitFor();
  await paste('clipboardData.setData("text/plain", "1 2, 2\\n4; 8");');
  await opened(page, "The pasted text");
  await page.selectOption("#bins", "10");
  await using engine = await openEngine();
  const wanted = async (values: readonly number[], bins: number) => [
    ...(await engine.histogram(Float64Array.from(values), { bins, range: "data" })).counts,
  ];
  await page.locator("#values summary", { hasText: "(10)" }).waitFor();
  expect((await savedColumns(page)).values).toEqual(await wanted([1, 2, 2, 4, 8], 10));

  const price = Array.from({ length: 500 }, (_, i) => Math.round(1000 * Math.sin(i)) / 8);
  // The reader of text is loaded with the first table of text.
  const loaded: string[] = [];
  page.on("request", (request) => loaded.push(request.url()));
  const csv = `city,price\n${price.map((value, i) => `c${i % 3},${value}`).join("\n")}\nc0,\n`;
  await page.setInputFiles("#file", upload("prices.csv", csv));
  await opened(page, "prices.csv");
  expect(loaded.filter((url) => /\/text-[^/]+\.js$/.test(url))).toHaveLength(1);
  expect(await page.locator("#column").inputValue()).toBe("price");
  await page.selectOption("#bins", "50");
  await page.locator("#values summary", { hasText: "(50)" }).waitFor();
  expect((await savedColumns(page)).values).toEqual(await wanted(price, 50));
  await page.locator("#facts summary").click();
  expect(await page.locator("#facts tr", { hasText: "nulls" }).textContent()).toContain("1");

  // A few whole numbers have a bin each, as in the command.
  const sevens = Int32Array.from({ length: 1000 }, (_, i) => i % 7);
  await page.setInputFiles("#file", upload("sevens.csv", `i,none\n${sevens.join(",\n")},\n`));
  await opened(page, "sevens.csv");
  const integers = await engine.histogram(sevens, { axis: integer(0, 7) });
  expect((await savedColumns(page)).values).toEqual([...integers.counts]);
  expect(await page.locator(".reading").textContent()).toContain(
    "1,000 values in 7 bins, one for each value.",
  );
  // Integers stay integers, whose rules have other bins than doubles.
  await page.selectOption("#bins", "fd");
  const ruled = await engine.histogram(sevens, { bins: "fd" });
  await page.locator("#values summary", { hasText: `(${ruled.counts.length})` }).waitFor();
  expect((await savedColumns(page)).values).toEqual([...ruled.counts]);

  // A bar that is cut says so, with the number that a reader of it gets.
  const spike = [...new Array<number>(5000).fill(0), ...Array.from({ length: 1000 }, (_, i) => i / 8)];
  await page.setInputFiles("#file", upload("spike.csv", `z\n${spike.join("\n")}\n`));
  await opened(page, "spike.csv");
  await page.selectOption("#bins", "50");
  await page.locator("#values summary", { hasText: "(50)" }).waitFor();
  const first = (await savedColumns(page)).values![0]!.toLocaleString("en");
  expect(await page.locator(".cut").textContent()).toBe(`Cut to fit: z at the left end has ${first} values.`);
  await page.locator(".pointer").fill("0");
  await page.locator(".reading", { hasText: `Bin 1 of 50: ${first} values in [0, ` }).waitFor();

  await page.setInputFiles("#file", upload("list.txt", "3 4 5"));
  await opened(page, "list.txt");
  await page.setInputFiles("#file", upload("list.foo", "3 4 5"));
  await page
    .locator("#problem", {
      hasText: /list\.foo was not opened: expected a table .* show one; the page reads .*csv/,
    })
    .waitFor();
  await paste(`
    const bytes = Uint8Array.from(atob("${Buffer.from(encode({ width: 2, height: 1, channels: 3, data: Uint8Array.of(1, 2, 3, 4, 5, 6) })).toString("base64")}"), (c) => c.charCodeAt(0));
    clipboardData.items.add(new File([bytes], "image.png", { type: "image/png" }));`);
  await opened(page, "The pasted picture");
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  expect(problems).toEqual([]);
});

test("the camera's frames are counted by a worker, none waits, and the camera ends with the playground", async (ctx) => {
  if (typeof chromium === "string") return ctx.skip(chromium);
  await using visit = await openPage(chromium, site.origin);
  const { page, problems } = visit;
  await page.click("#camera");
  const counted = async () => Number(await page.locator('[data-part="camera"]').getAttribute("data-counted"));
  await expect.poll(counted, { timeout: 60_000 }).toBeGreaterThan(2);
  expect(await page.locator("#rate").textContent()).toMatch(
    /640 x 480 pixels, \d+ frames per second counted by one worker/,
  );
  // Most of its pixels are equal. The axis writes their number as the readout does.
  const grid = await page.locator(".histogram .grid text").allTextContents();
  expect(grid).toContain("200,000");
  expect(grid.filter((tick) => !/^\d{1,3}(,\d{3})*$/.test(tick))).toEqual([]);
  const isLive = () => page.evaluate("document.querySelector('video').srcObject.active");
  expect(await isLive()).toBe(true);
  await page.click("#pause");
  await page.locator("#rate", { hasText: "Stopped after" }).waitFor();
  expect(await isLive()).toBe(false);
  expect(problems).toEqual([]);
});
