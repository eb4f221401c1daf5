// Times the first histogram and the steps of a brush, by polybin in a worker and by what it replaces. Each program runs in
// a page of its own, and its counts are compared. Then it drags the brush of the example's page.
//
//   node measure.mjs [ROWS] [WORD…]     Default: 10000000 rows, and all programs. A word selects those that it is in.
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { launchChromium } from "@polybin/testbed/chromium";
import { openPage } from "@polybin/testbed/page";
import { build, preview } from "vite";

const [rowsText, ...words] = process.argv.slice(2);
const rows = Number(rowsText ?? 10_000_000);
const STEPS = 40;
const NAMES = [
  "polybin, joint histogram",
  "polybin, every row",
  "a loop over typed arrays",
  "crossfilter2",
  "d3.bin and filter",
].filter((name) => words.length === 0 || words.some((word) => name.includes(word)));

const root = fileURLToPath(new URL(".", import.meta.url));
const outDir = `${root}dist/measure-page`;
const input = [`${root}index.html`, `${root}measure/index.html`];
const vite = { root, logLevel: "silent" };
await build({ ...vite, build: { outDir, emptyOutDir: true, rolldownOptions: { input } } });
const server = await preview({ ...vite, build: { outDir }, preview: { host: "127.0.0.1", port: 0 } });
const browser = await launchChromium();
if (typeof browser === "string") throw new Error(browser);

const median = (all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)];
const ms = (value) => `${value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en")} ms`;
const task = (value) => (value === 0 ? "under 50 ms" : ms(value));

console.log(
  `${rows.toLocaleString("en")} rows, Chromium ${browser.version()}, ${cpus()[0].model}, ${cpus().length} cores\n`,
);
console.log(
  "| program | first histograms | longest task | step of the brush, median | slowest step | longest task |",
);
console.log("|---|---|---|---|---|---|");
const address = server.resolvedUrls.local[0];
let checksum = null;
for (const name of NAMES) {
  const query = new URLSearchParams({ program: name, rows, steps: STEPS });
  await using opened = await openPage(browser, `${address}measure/?${query}`);
  await opened.page.waitForFunction("window.times", undefined, { timeout: 600_000 });
  const times = await opened.page.evaluate("window.times");
  if (opened.problems.length > 0) throw new Error(opened.problems.join("\n"));
  checksum ??= times.checksum;
  if (times.checksum !== checksum)
    throw new Error(`expected equal counts of all programs but ${name} has others`);
  const cells = [
    ms(times.first),
    task(times.longest.first),
    ms(median(times.steps)),
    ms(Math.max(...times.steps)),
  ];
  console.log(`| ${name} | ${cells.join(" | ")} | ${task(times.longest.steps)} |`);
}

console.log("\n| the page, dragged 80 times by the mouse | longest task | frames drawn | answers |");
console.log("|---|---|---|---|");
/** Notes long tasks, frames and the answers that the page shows. */
const NOTES = `
  window.longest = 0; window.frames = 0; window.answers = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
  }).observe({ type: "longtask" });
  const frame = () => { window.frames++; requestAnimationFrame(frame); };
  frame();`;
for (const [i, method] of ["joint histogram", "every row"].entries()) {
  await using opened = await openPage(browser, `${address}?rows=${rows}`, { before: NOTES });
  const { page } = opened;
  await page.locator("output[data-lo]").waitFor();
  await page.getByRole("radio").nth(i).check();
  const { x, y, width } = await page.locator(".brush").boundingBox();
  await page.mouse.move(x + 0.3 * width, y + 20);
  await page.evaluate(`window.longest = window.frames = 0;
    new MutationObserver((list) => { window.answers += list.some(({ attributeName }) => attributeName === "data-ms"); })
      .observe(document.querySelector("output"), { attributes: true });`);
  await page.mouse.down();
  await page.mouse.move(x + 0.9 * width, y + 20, { steps: 80 });
  await page.mouse.up();
  await page.waitForTimeout(1000);
  const { longest, frames, answers } = await page.evaluate("({ longest, frames, answers })");
  console.log(`| ${method} | ${task(longest)} | ${frames} | ${answers} |`);
}
await browser.close();
await server.close();
