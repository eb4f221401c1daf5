// Tones and the joint plot of the picture view, in a page without a server.
import { applyTable, clahe, equalize, mutualInformation } from "@polybin/analysis";
import { openEngine } from "@polybin/core";
import { encode } from "fast-png";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { browser, openPage, shown } from "./browser.ts";
import { opened as isOpened, upload } from "./playground.ts";
import { staticSite } from "./static-site.ts";

/** A smooth picture with a few colours and edges. Its sides are multiples of 8, so CLAHE has whole tiles. */
const [width, height] = [64, 48];
const data = Uint8Array.from({ length: 3 * width * height }, (_, i) => {
  const [x, y] = [Math.floor(i / 3) % width, Math.floor(i / 3 / width)];
  return 40 + ((x * (1 + (i % 3)) + 2 * y + ((x * y) % 7)) % 170);
});

const PIXELS = (id: string): string => `(() => {
  const canvas = document.getElementById("${id}");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return [...data];
})()`;

/** One channel of the preview once it has a tone. */
async function preview(page: Page, tone: string, channel: number): Promise<number[]> {
  await page.locator(`#preview[data-tone="${tone}"]`).waitFor();
  return (await page.evaluate<number[]>(PIXELS("preview"))).filter((_, i) => i % 4 === channel);
}

test("levels, equalize, CLAHE and two channels together", async (context) => {
  const chromium = await browser();
  if (typeof chromium === "string") return context.skip(chromium);
  await using site = await staticSite();
  await using opened = await openPage(chromium, `${site.origin}#try/picture`, {
    viewport: { width: 1280, height: 900 },
  });
  const { page, problems } = opened;
  await shown(page, "try/picture");
  const smooth = encode({ width, height, channels: 3, depth: 8, data });
  await page.setInputFiles("#file", upload("smooth.png", smooth));
  await isOpened(page, "smooth.png");
  await page.locator("#explore summary").click();

  const green = data.filter((_, i) => i % 3 === 1);
  expect(await preview(page, "levels 0 255", 1)).toEqual([...green]);
  await page.getByLabel("Black").fill("64");
  await page.getByLabel("White").fill("128");
  const part = (value: number): number => Math.min(Math.max((value - 64) / 64, 0), 1);
  expect(await preview(page, "levels 64 128", 1)).toEqual(
    [...green].map((value) => Math.round(255 * part(value))),
  );
  expect(await page.locator("#levels").textContent()).toBe("64 becomes black, and 128 becomes white.");
  // A handle stops next to the other one.
  await page.getByLabel("Black").fill("200");
  await page.locator('#preview[data-tone="levels 127 128"]').waitFor();
  expect(await page.getByLabel("Black").inputValue()).toBe("127");

  await using engine = await openEngine();
  await page.getByLabel("Equalize").check();
  expect(await preview(page, "equalize", 1)).toEqual([
    ...applyTable(green, equalize(await engine.histogram(green))),
  ]);
  await page.getByLabel("CLAHE").check();
  const tiles = { width: width / 8, height: height / 8 };
  const counts = await engine.segments({ data: green, width }, { tiles }, { bins: 256 });
  const options = { clipLimit: 4, columns: 8, rows: 8 };
  expect(await preview(page, "clahe", 1)).toEqual([
    ...clahe({ data: green, width, height }, counts, options),
  ]);

  await page.getByLabel("Upwards").selectOption("blue");
  await page.locator('#joint[data-channels="0 2"]').waitFor();
  const joint = await engine.joint(
    { data, channels: 3 },
    {
      channels: [0, 2],
      axes: [{ bins: 256 }, { bins: 256 }],
    },
  );
  const drawn = await page.evaluate<number[]>(PIXELS("joint"));
  const filled = Array.from({ length: 65_536 }, (_, i) => drawn[4 * i + 3]! > 0);
  const expected = filled.map((_, i) => joint.at(i % 256, 255 - Math.floor(i / 256)) > 0);
  expect(filled).toEqual(expected);
  expect(await page.locator("#information").textContent()).toContain(
    `Mutual information: ${mutualInformation(joint, { base: 2 }).toFixed(3)} bits.`,
  );
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(1280);
  await page.getByLabel("Levels").check();
  await page.setViewportSize({ width: 390, height: 900 });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  // A picture of fewer pixels than tiles has one tile per pixel.
  const small = { width: 5, height: 3, channels: 3, depth: 8, data: data.slice(0, 45) } as const;
  await page.setInputFiles("#file", upload("small.png", encode(small)));
  await isOpened(page, "small.png");
  await page.getByLabel("CLAHE").check();
  expect(await preview(page, "clahe", 1)).toHaveLength(15);
  expect(await page.locator(".absent", { hasText: "expected" }).count()).toBe(0);
  expect(problems).toEqual([]);
});
