// The site without the reference: it builds, and no link leads nowhere. The nightly tests look at the pages of the whole site.
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { SLUGS, WEIGHTED_SLUGS } from "@polybin/core/backend";
import { launchChromium } from "@polybin/testbed/chromium";
import { openPage } from "@polybin/testbed/page";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { memoryOf } from "../build/drawing/areas.ts";
import { figureOf } from "../build/drawing/memory.ts";
import { plansOf } from "../build/drawing/plans.ts";
import { faultsOf } from "../build/faults.ts";
import { sidebar } from "../build/navigation.ts";
import { findPages, targetOf } from "../build/pages.ts";
import { type ServedSite, servedSite } from "./served.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let site: ServedSite;
beforeAll(async () => {
  site = await servedSite({ reference: false });
});
afterAll(() => site?.[Symbol.asyncDispose]());

const pages = findPages(false);
const html = (path: string): Promise<string> => readFile(join(site.folder, path), "utf8");

test("every page is built, and its sources keep their places", async () => {
  expect(pages.get("docs/reference/library.md")).toBe("reference/library.md");
  expect(pages.get("CONTRIBUTING.md")).toBe("contributing.md");
  expect([...pages.keys()].filter((path) => path.startsWith("docs/site/"))).toHaveLength(2);
  for (const address of pages.values()) {
    expect((await html(address.replace(/md$/, "html"))).length, address).toBeGreaterThan(1000);
  }
});

test("the sidebar leads to every page", () => {
  const shown = JSON.stringify(sidebar(pages));
  const isOwn = (source: string): boolean => source.startsWith("docs/site/");
  const missing = [...pages].filter(([source, address]) => {
    const link = `"/${address.replace(/(?:index)?\.md$/, "")}"`;
    return !isOwn(source) && source !== "docs/README.md" && !shown.includes(link);
  });
  expect(missing).toEqual([]);
});

test("links lead to pages of the site, and other files to GitHub", () => {
  const from = (href: string): string | null => targetOf(pages, "docs/reference/library.md", href);
  expect(from("../internals/algorithms/README.md#terms")).toBe("/internals/algorithms/index.md#terms");
  expect(from("../../apps/cli/README.md")).toBe("/reference/command.md");
  expect(from("../../packages/core/README.md")).toBe(
    "https://github.com/polybin/polybin/blob/main/packages/core/README.md",
  );
  expect(from("../../benchmarks/peers")).toBe(
    "https://github.com/polybin/polybin/tree/main/benchmarks/peers",
  );
  expect([from("#counters"), from("https://example.com/x.md")]).toEqual([null, null]);
});

test("faults are found: dead links, anchors and files, and what another host would send", async () => {
  const folder = await mkdtemp(join(tmpdir(), "polybin-faults-"));
  const write = async (path: string, body: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), body);
  };
  await write(
    "index.html",
    '<a href="/below/">x</a><a href="/below/#here">x</a><a href="https://example.com/">x</a>',
  );
  await write("below/index.html", '<p id="here"></p><a href="../">x</a><img src="data:,">');
  expect(faultsOf(folder, "/")).toEqual([]);
  await write(
    "bad.html",
    '<a href="nowhere.html">x</a><a href="below/#there">x</a><img src="x.png"><link rel="stylesheet" href="https://example.com/x.css">',
  );
  expect(faultsOf(folder, "/").toSorted()).toEqual([
    "bad.html leads to below/#there, and below/index.html has no such anchor",
    "bad.html leads to nowhere.html, which does not exist",
    "bad.html leads to x.png, which does not exist",
    "bad.html loads https://example.com/x.css from another host",
  ]);
  await rm(folder, { recursive: true });
});

test.for([...SLUGS, ...WEIGHTED_SLUGS])("%s has a drawing of its plan", async (slug) => {
  const page = await html(`internals/algorithms/${slug}.html`);
  const drawn = (text: string): string[] => [...text.matchAll(/<path [^>]* d="([^"]+)"/g)].map(([, d]) => d!);
  expect(drawn(page)).toEqual(drawn(figureOf(slug)!));
  const titles = plansOf(slug)!.map((planned) => `The memory of ${planned.slug}`);
  expect([...page.matchAll(/<title id="memory-[^>]+>([^<]+)/g)].map(([, title]) => title)).toEqual(titles);
});

test("a drawing shows the numbers of the plan", () => {
  const [planned] = plansOf("per-lane")!;
  const { plan } = planned!.of;
  const figure = figureOf("per-lane")!;
  expect(figure).toContain(`${plan.threads.toLocaleString("en-US")} threads`);
  expect(figure).toContain(`${plan.sharedBytes.toLocaleString("en-US")} of 49,152 bytes`);
  expect(figureOf("nothing")).toBeNull();
});

test("a layout that does not fill the memory of its plan is refused", () => {
  const [planned] = plansOf("trish")!;
  const plan = { ...planned!.of.plan, sharedBytes: 8192 };
  expect(() => memoryOf({ ...planned!, of: { kind: "counts", plan } as never })).toThrow(
    "trish: expected the 8192 bytes of the plan but the layout takes 16384",
  );
});

test("the landing page and the playground run, without a request to another host, and then without a network", async (ctx) => {
  const browser = await launchChromium();
  if (typeof browser === "string") return ctx.skip(browser);
  await using _closed = { [Symbol.asyncDispose]: () => browser.close() };
  await using landing = await openPage(browser, `${site.origin}/`);
  await landing.page.getByText("evening.png is shown.").waitFor();
  await landing.page.getByRole("link", { name: "Playground" }).first().click();
  await landing.page.getByText("evening.png is shown.").waitFor();
  expect(landing.problems).toEqual([]);
  const { page } = landing;
  const kept =
    "caches.match(location.href).then((found) => found !== undefined && navigator.serviceWorker.controller !== null)";
  await expect.poll(() => page.evaluate(kept), { timeout: 60_000 }).toBe(true);
  await page.context().setOffline(true);
  await page.reload();
  await page.getByText("evening.png is shown.").waitFor();
});
