import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { openEngine } from "@polybin/core";
import { decode, encode } from "fast-png";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Dashboard } from "../../server/server.ts";
import { browser, openPage, shown } from "../browser.ts";
import { servePage } from "./backends.ts";

const SAMPLE: URL = new URL("../../../cli/sample/evening.png", import.meta.url);
const PICTURES: URL = new URL("../../../../docs/dashboard/", import.meta.url);

let chromium: Browser | string;
let dashboard: Dashboard;

beforeAll(async () => {
  chromium = await browser();
});
afterAll(async () => {
  if (typeof chromium !== "string") await chromium.close();
});
beforeEach(async () => {
  dashboard = await servePage();
});
afterEach(() => dashboard[Symbol.asyncDispose]());

/** The rows of the first table, cell by cell. */
const tableOf = (page: Page): Promise<string[][]> =>
  page.evaluate<string[][]>(
    "[...document.querySelector('table').tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.innerText.trim()))",
  );

/** The counts below each plot, as they stand in its table. */
const countsOf = (page: Page): Promise<number[][]> =>
  page.evaluate<number[][]>(
    "[...document.querySelectorAll('.charts figure')].map((figure) => [...figure.querySelectorAll('tbody td')].map((cell) => Number(cell.textContent.replaceAll(',', ''))))",
  );

const counted = (page: Page, name: string) =>
  page.locator("#status", { hasText: `${name} is counted.` }).waitFor();

/** What core's CPU counts in the sample file itself: red, green, blue. */
async function countsOfSample(): Promise<number[][]> {
  const { data, width, height, channels } = decode(await readFile(SAMPLE));
  await using engine = await openEngine();
  const found = await engine.histograms({ data: data as Uint8Array, width, height, channels });
  return found.map(({ counts }) => [...counts]);
}

/** Shortens the path of the checkout in every text of the page. */
const WITHOUT_PATHS = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) walker.currentNode.data = walker.currentNode.data.replaceAll(${JSON.stringify(fileURLToPath(new URL("../../../../", import.meta.url)))}, "polybin/");
})()`;

/** Set it to take the committed pictures again. */
async function portrait(page: Page, view: string): Promise<void> {
  if (process.env.POLYBIN_SCREENSHOTS === undefined) return;
  for (const width of [1280, 390]) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      await page.waitForTimeout(300);
      // Reasons name files of the checkout. The pictures are the same wherever it is.
      await page.evaluate(WITHOUT_PATHS);
      const path = fileURLToPath(new URL(`${view}-${width}-${colorScheme}.png`, PICTURES));
      await page.screenshot({ path, fullPage: true });
    }
  }
}

test("a picture has the CPU's exact counts on every backend, in the page and on the server", async (ctx) => {
  if (typeof chromium === "string") return ctx.skip(chromium);
  await using opened = await openPage(chromium, `${dashboard.origin}/#try/picture`);
  const { page, problems } = opened;
  await shown(page, "try/picture");
  await page.setInputFiles("#file", fileURLToPath(SAMPLE));
  await counted(page, "evening.png");
  const rows = await tableOf(page);
  const verdicts = new Map(rows.map(([backend, verdict]) => [backend, verdict]));
  expect(verdicts.get("cpu (page)")).toBe("the reference");
  for (const name of ["workers (page)", "webgpu (page)", "cpu (server)", "piscina (server)"]) {
    expect(verdicts.get(name), name).toBe("equal");
  }
  // What has no result says why; nothing that has one differs.
  for (const [backend, verdict, , , , device] of rows) {
    expect(verdict, backend).toMatch(/^(the reference|equal|–)$/);
    expect(device, backend).not.toBe("");
  }
  expect(await countsOf(page)).toEqual(await countsOfSample());
  expect(problems).toEqual([]);
  await page.getByLabel("Logarithmic heights").check();
  await portrait(page, "picture");
  expect(problems).toEqual([]);
});

/** A drop of the sample, under another name. */
const DROPPED = `(async () => {
  const picture = await (await fetch("evening.png")).blob();
  const transfer = new DataTransfer();
  transfer.items.add(new File([picture], "dropped.png", { type: "image/png" }));
  return transfer;
})()`;

/** In the page itself, as Enter on the button would: a key from outside may come when all is counted. */
const STOP_ONCE_IT_COUNTS = `(() => {
  const status = document.querySelector("#status");
  const observer = new MutationObserver(() => {
    if (!status.textContent.startsWith("Counting")) return;
    observer.disconnect();
    const stop = document.querySelector("#stop");
    stop.focus();
    stop.click();
  });
  observer.observe(status, { childList: true, characterData: true, subtree: true });
})()`;

test("a picture may be dropped, and a file that is none is said to be", async (ctx) => {
  if (typeof chromium === "string") return ctx.skip(chromium);
  await using opened = await openPage(chromium, `${dashboard.origin}/#try/picture`);
  const { page, problems } = opened;
  await shown(page, "try/picture");
  await page.dispatchEvent(".drop", "drop", { dataTransfer: await page.evaluateHandle(DROPPED) });
  await counted(page, "dropped.png");
  expect(await countsOf(page)).toEqual(await countsOfSample());
  // Stopped by keyboard, the focus stays on the button.
  await page.evaluate(STOP_ONCE_IT_COUNTS);
  await page.setInputFiles("#file", fileURLToPath(SAMPLE));
  await page.locator("#status", { hasText: "Stopped." }).waitFor();
  expect(await page.evaluate("document.activeElement.id")).toBe("stop");
  await page.setInputFiles("#file", fileURLToPath(import.meta.url));
  await page.locator("#status", { hasText: "page.test.ts could not be counted" }).waitFor();
  // Nothing of the last picture stands below that; and the same file may be chosen again.
  expect(await page.locator("table, canvas, svg.plot").count()).toBe(0);
  expect(await page.locator("#file").inputValue()).toBe("");
  expect(problems).toEqual([]);
});

test("of a picture with transparent parts the page says what a canvas makes of it", async (ctx) => {
  if (typeof chromium === "string") return ctx.skip(chromium);
  await using opened = await openPage(chromium, `${dashboard.origin}/#try/picture`);
  const { page, problems } = opened;
  await shown(page, "try/picture");
  // One row only: it is shared out among the workers all the same.
  const data = Uint8Array.of(200, 100, 50, 255, 200, 100, 50, 0, 200, 100, 50, 255);
  const buffer = Buffer.from(encode({ data, width: 3, height: 1, channels: 4, depth: 8 }));
  await page.setInputFiles("#file", { name: "row.png", mimeType: "image/png", buffer });
  await counted(page, "row.png");
  await page.locator("#translucent").waitFor();
  const [red] = await countsOf(page);
  expect([red![0], red![200]]).toEqual([1, 2]);
  expect((await tableOf(page)).slice(0, 3).map(([backend, verdict]) => [backend, verdict])).toEqual([
    ["cpu (page)", "the reference"],
    ["workers (page)", "equal"],
    ["webgpu (page)", "equal"],
  ]);
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="4"><rect width="8" height="4" fill="#c86432"/></svg>`;
  await page.setInputFiles("#file", {
    name: "drawn.svg",
    mimeType: "image/svg+xml",
    buffer: Buffer.from(text),
  });
  await counted(page, "drawn.svg");
  expect((await countsOf(page)).map((counts, i) => counts[[200, 100, 50][i]!])).toEqual([32, 32, 32]);
  expect(await page.locator("#translucent").count()).toBe(0);
  expect(problems).toEqual([]);
});

test("a benchmark shows its rounds as they come, ends, and stops when it is told to", async (ctx) => {
  if (typeof chromium === "string") return ctx.skip(chromium);
  await using opened = await openPage(chromium, `${dashboard.origin}/#try/compare?power=16&rounds=20`);
  const { page, problems } = opened;
  await page.click("#run");
  await page.locator("#status", { hasText: "done, and every round was exact" }).waitFor();
  expect(await tableOf(page)).toHaveLength(22);
  await portrait(page, "bench");

  await page.goto(`${dashboard.origin}/#try/compare?power=26&rounds=200`);
  await page.click("#run");
  await page.locator("#status", { hasText: "Round 1" }).waitFor();
  // By keyboard: the button keeps the focus when it changes what it does.
  await page.keyboard.press("Enter");
  await page.locator("#status", { hasText: /^Stopped after \d+ rounds/ }).waitFor();
  // The server has heard of it, too.
  const busy = async () =>
    ((await (await fetch(`${dashboard.origin}/api/status`)).json()) as { busy: boolean }).busy;
  await expect.poll(busy, { timeout: 30_000 }).toBe(false);
  await page.locator("#run").waitFor();
  expect(await page.evaluate("document.activeElement.id")).toBe("run");
  expect(problems).toEqual([]);
});

/** Waits until what works without the server is in the page: the live views and their workers. */
async function loadedAhead(page: Page): Promise<void> {
  await expect.poll(() => page.workers().length, { timeout: 30_000 }).toBeGreaterThan(1);
  await Promise.all(page.workers().map((worker) => worker.evaluate("0")));
  await page.waitForLoadState("networkidle");
}

/** Problems other than a browser's own report of what cannot be reached. */
const otherwise = (problems: readonly string[]): string[] =>
  problems.filter((problem) => !problem.includes("ERR_CONNECTION_REFUSED"));

test("the page outlives the server, says that it is gone, and finds it again", async (ctx) => {
  if (typeof chromium === "string") return ctx.skip(chromium);
  await using opened = await openPage(chromium, dashboard.origin);
  const { page, problems } = opened;
  await shown(page, "overview");
  await loadedAhead(page);
  const port = Number(new URL(dashboard.origin).port);
  await dashboard[Symbol.asyncDispose]();
  await page.getByRole("link", { name: "Try it" }).click();
  await page.locator("#server", { hasText: "does not answer" }).waitFor();
  await page.click("#sample");
  await page.locator("#status", { hasText: "could not be counted: evening.png cannot be read" }).waitFor();
  // What works in the page goes on working.
  await page.setInputFiles("#file", fileURLToPath(SAMPLE));
  await counted(page, "evening.png");
  expect((await tableOf(page)).map(([backend, verdict]) => [backend, verdict])).toEqual([
    ["cpu (page)", "the reference"],
    ["workers (page)", "equal"],
    ["webgpu (page)", "equal"],
  ]);
  expect(await countsOf(page)).toEqual(await countsOfSample());
  await page.getByRole("link", { name: "Compare" }).click();
  await page.locator("#server", { hasText: "does not answer" }).waitFor();
  dashboard = await servePage(port);
  await page.locator("#run").waitFor();
  expect(otherwise(problems)).toEqual([]);
});

test("without the CPU's counts nothing is compared", async (ctx) => {
  if (typeof chromium === "string") return ctx.skip(chromium);
  await using opened = await openPage(chromium, "about:blank");
  const { page } = opened;
  await page.route("**/count-worker*", (route) => route.abort());
  await page.goto(`${dashboard.origin}/#try/picture`);
  await page.locator('#server[data-state="here"]').waitFor({ state: "attached" });
  await page.click("#sample");
  await counted(page, "evening.png");
  const rows = await tableOf(page);
  expect(rows[0]).toEqual(["cpu (page)", "–", "–", "–", "–", "the worker could not be started", ""]);
  const verdicts = rows.filter(([, , best]) => best !== "–").map(([, verdict]) => verdict);
  expect(verdicts.length).toBeGreaterThan(1);
  expect(new Set(verdicts)).toEqual(new Set(["no reference"]));
});
