// The first things that people do with the playground, each in a real browser. The first drag on an empty brush is also a
// test of docs/examples/brush.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findingsOf } from "@polybin/testbed/axe";
import { launchChromium } from "@polybin/testbed/chromium";
import { type OpenPage, openPage } from "@polybin/testbed/page";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { npyFile, zip } from "../../../packages/columns/test/zip.ts";
import { opened, SAMPLE, savedColumns, upload } from "./playground.ts";
import { noisePng } from "./png.ts";
import { PLAYGROUND, type StaticSite, staticSite } from "./static-site.ts";

const PARQUET = new URL(
  "../../../packages/columns/test/tables/vectors/pyarrow-plain-snappy-v2.parquet",
  import.meta.url,
);

let site: StaticSite;
let chromium: Browser | string;
let visit: OpenPage | null = null;

beforeAll(async () => {
  [site, chromium] = await Promise.all([staticSite(PLAYGROUND), launchChromium()]);
  if (typeof chromium !== "string")
    visit = await openPage(chromium, site.origin, { viewport: { width: 1280, height: 900 } });
});
afterAll(async () => {
  await visit?.[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  if (typeof chromium !== "string") await chromium.close();
});

/** Drops what `fill` puts into a DataTransfer on an element, and returns whether the window showed a cue before. */
const drop = (page: Page, selector: string, fill: string): Promise<boolean> =>
  page.evaluate<boolean>(`(async () => {
    const at = document.querySelector(${JSON.stringify(selector)});
    const dataTransfer = new DataTransfer();
    ${fill}
    const send = (type) => at.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    send("dragenter");
    send("dragover");
    await frame();
    const isCued = getComputedStyle(document.querySelector(".cue")).display !== "none";
    send("drop");
    await frame();
    return isCued && getComputedStyle(document.querySelector(".cue")).display === "none";
  })()`);

const total = (counts: readonly number[] | undefined): number =>
  counts!.reduce((sum, count) => sum + count, 0);

/** The gestures. They follow one another in one page, as those of a person. */
const GESTURES: readonly (readonly [name: string, make: (page: Page) => Promise<void>])[] = [
  [
    "look: a picture and its histogram are there, a pixel marks its bins",
    async (page) => {
      await opened(page, "evening.png");
      expect(await findingsOf(page)).toEqual([]);
      const box = (await page.locator(".frame svg").boundingBox())!;
      await page.mouse.move(box.x + box.width * (430 / 640), box.y + box.height * (235 / 480));
      // The sun of the sample.
      await page
        .locator(".reading", {
          hasText: /^Pixel 4\d\d, 23\d: red 25\d, green (249|250|251), blue 22\d, luma/,
        })
        .waitFor();
      expect(await page.locator(".histogram .pin").count()).toBe(4);
      await page.mouse.move(5, 5);
      await page.locator(".reading", { hasText: "Dashed lines" }).waitFor();
      expect(await page.locator(".histogram .pin").count()).toBe(0);
    },
  ],
  [
    "drag over the picture: the region is counted",
    async (page) => {
      const box = (await page.locator(".frame svg").boundingBox())!;
      await page.mouse.move(box.x + 10, box.y + 10);
      await page.mouse.down();
      await page.mouse.move(box.x + 90, box.y + 60, { steps: 4 });
      await page.mouse.up();
      // The page tells the region of each step of the drag until the last one is counted.
      const told = async () => {
        const text = (await page.locator(".facts", { hasText: "Region of" }).textContent())!;
        return Number(/: ([\d,]+) pixels/.exec(text)![1]!.replaceAll(",", ""));
      };
      const left = async () => total((await savedColumns(page)).red) - (await told());
      await expect.poll(left, { timeout: 30_000 }).toBe(0);
      expect(await told()).toBeGreaterThan(0);
    },
  ],
  [
    "drop a 24-megapixel JPEG, far from the playground",
    async (page) => {
      const isCued = await drop(
        page,
        "h1",
        `const canvas = new OffscreenCanvas(6000, 4000);
        const pen = canvas.getContext("2d");
        const fill = pen.createLinearGradient(0, 0, 6000, 4000);
        fill.addColorStop(0, "#102040");
        fill.addColorStop(1, "#f0c080");
        pen.fillStyle = fill;
        pen.fillRect(0, 0, 6000, 4000);
        const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.8 });
        dataTransfer.items.add(new File([blob], "large.jpg", { type: "image/jpeg" }));`,
      );
      expect(isCued).toBe(true);
      await opened(page, "large.jpg");
      await page.locator(".facts", { hasText: "6,000 x 4,000 pixels" }).waitFor();
      expect(total((await savedColumns(page)).red)).toBe(24_000_000);
    },
  ],
  [
    "open a PNG of 50 MB",
    async (page) => {
      const folder = await mkdtemp(join(tmpdir(), "polybin-gestures-"));
      try {
        const { file, pixels } = noisePng(4096, 4096);
        expect(file.length).toBeGreaterThan(50_000_000);
        const path = join(folder, "noise.png");
        await writeFile(path, file);
        await page.setInputFiles("#file", path);
        await opened(page, "noise.png");
        const reds = new Array<number>(256).fill(0);
        for (let at = 0; at < pixels.length; at += 3) reds[pixels[at]!]! += 1;
        expect((await savedColumns(page)).red).toEqual(reds);
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  ],
  [
    "open a Parquet file",
    async (page) => {
      await page.setInputFiles("#file", fileURLToPath(PARQUET));
      await opened(page, "pyarrow-plain-snappy-v2.parquet");
      expect(await page.locator("#column option").count()).toBeGreaterThan(3);
    },
  ],
  [
    "open an NPZ file",
    async (page) => {
      const values = Float64Array.from({ length: 1000 }, (_, i) => i / 10);
      const bytes = npyFile("'<f8'", values.length, new Uint8Array(values.buffer));
      const archive = zip([{ name: "time.npy", bytes, deflated: false }]);
      await page.setInputFiles("#file", upload("arrays.npz", archive));
      await opened(page, "arrays.npz");
      await page.locator(".reading", { hasText: "time of arrays.npz: 1,000 values" }).waitFor();
    },
  ],
  [
    "open a damaged file: it is refused, and the last result stays",
    async (page) => {
      const cut = (await readFile(SAMPLE)).subarray(0, 40_000);
      await page.setInputFiles("#file", upload("cut.png", cut));
      const problem = page.locator("#problem", {
        hasText: "cut.png was not opened: expected a whole PNG picture",
      });
      expect(await problem.textContent()).toContain("It has 40,000 bytes and begins like a PNG picture.");
      await page.locator(".reading", { hasText: "time of arrays.npz" }).waitFor();
    },
  ],
  [
    "drop a text: it is refused, and the page says what it opens",
    async (page) => {
      const text = "Once upon a time\\nthere was a histogram\\nwhich counted words.\\n";
      await drop(
        page,
        "body",
        `dataTransfer.items.add(new File(["${text}"], "story.txt", { type: "text/plain" }));`,
      );
      const problem = page.locator("#problem", {
        hasText: "story.txt was not opened: expected numbers, or a table",
      });
      expect(await problem.textContent()).toContain("The page opens pictures (PNG");
      await page.locator(".reading", { hasText: "time of arrays.npz" }).waitFor();
    },
  ],
  [
    "drop something that is neither a file nor text: it is refused",
    async (page) => {
      await drop(page, "body", "");
      await page
        .locator("#problem", { hasText: "The dropped thing was not opened: it is neither a file nor text" })
        .waitFor();
    },
  ],
  [
    "paste numbers",
    async (page) => {
      await page.evaluate(`(() => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", "5 6 6 5 6 9");
        document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
      })()`);
      await opened(page, "The pasted text");
      expect(await page.locator("#problem").count()).toBe(0);
      // Each whole number has a bar of its own.
      expect(await savedColumns(page)).toEqual({ value: [5, 6, 7, 8, 9], values: [2, 3, 0, 0, 1] });
      // Whole numbers past 2^53 are no bins.
      await page.locator("#paste summary").click();
      await page.locator("#paste textarea").fill("1e300 1e300 2e300");
      await page.click("#count");
      await page
        .locator(".reading", { hasText: /^value of The pasted text: 3 values in \d+ bins?\./ })
        .waitFor();
    },
  ],
  [
    "open a column of strings, then its booleans and dates",
    async (page) => {
      const rows = ["Oslo,true,2024-01-01", "Rome,false,2024-01-03", "Rome,true,2024-01-03", ",,"];
      await page.setInputFiles("#file", upload("visits.csv", `city,paid,day\n${rows.join("\n")}\n`));
      await opened(page, "visits.csv");
      const bars = () => page.locator(".bars tbody tr").allTextContents();
      const texts = (await bars()).map((row) => row.trim().replace(/\s+/g, " "));
      expect(texts.map((row) => row.replaceAll(" ", ""))).toEqual(["Rome266.7%", "Oslo133.3%"]);
      await page.locator(".reading", { hasText: "3 values, 2 different; 1 null" }).waitFor();
      expect(await findingsOf(page)).toEqual([]);
      await page.selectOption("#column", "paid");
      await page.locator(".bars caption", { hasText: "paid" }).waitFor();
      expect((await bars()).map((row) => row.replace(/\s+/g, ""))).toEqual(["false133.3%", "true266.7%"]);
      await page.selectOption("#column", "day");
      await page
        .locator(".reading", {
          hasText: /day of visits.csv: 3 values in \d+ bins, one for each value; 1 null/,
        })
        .waitFor();
      const ticks = await page.locator(".histogram text.tick").allTextContents();
      expect(ticks).toContain("2024-01-02");
    },
  ],
];

test.for(GESTURES)("%s", async ([, make], ctx) => {
  if (visit === null) return ctx.skip(chromium as string);
  await make(visit.page);
  expect(visit.problems).toEqual([]);
});
