// `visit.mjs FOLDER/PAGE …` opens bundled pages in the Chromium of @polybin/testbed. It prints what each page found as one
// line of JSON. It needs the project's own Node, which reads TypeScript.
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { launchChromium } from "../../packages/testbed/src/chromium.ts";
import { openPage } from "../../packages/testbed/src/page.ts";
import { serve } from "../../packages/testbed/src/server.ts";

/** SwiftShader compiles for seconds, and longer on a busy machine. */
const TIMEOUT_MS = 90_000;

const html = (page) => `<!doctype html><title>polybin</title><link rel="icon" href="data:,">
<script type="module" src="/${page}.mjs"></script>`;

/** Serves the folder of a page and opens the page. Resolves to what it found, or to what went wrong. */
async function visit(browser, folder, page) {
  const scripts = readdirSync(folder, { recursive: true }).filter((name) => /\.m?js$/.test(name));
  const script = (name) => ({ type: "text/javascript", body: readFileSync(join(folder, name)) });
  await using server = await serve({
    ...Object.fromEntries(scripts.map((name) => [`/${name}`, script(name)])),
    "/": { type: "text/html", body: html(page) },
  });
  await using opened = await openPage(browser, `${server.origin}/`, { voices: ["error"] });
  // An error in the page is found sooner than the time runs out.
  const isDone = async () =>
    opened.problems.length > 0 || (await opened.page.evaluate(() => globalThis.found !== undefined));
  for (const start = Date.now(); !(await isDone()) && Date.now() - start < TIMEOUT_MS; ) await sleep(20);
  if (opened.problems.length > 0) return { problems: opened.problems };
  return (await opened.page.evaluate(() => globalThis.found)) ?? { problems: ["the page did not finish"] };
}

const browser = await launchChromium();
if (typeof browser === "string") console.log(JSON.stringify({ none: browser }));
else {
  const found = [];
  for (const path of process.argv.slice(2)) found.push(await visit(browser, dirname(path), basename(path)));
  await browser.close();
  console.log(JSON.stringify({ found }));
}
