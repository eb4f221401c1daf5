import { bundleForBrowser } from "@polybin/testbed/bundle";
import { moduleSite, openSite } from "@polybin/testbed/site";
import { expect, it } from "vitest";
import { compare } from "./page/numpy-sync.ts";

const VECTORS = 98;

it("histogramSync has NumPy's edges and counts", () => {
  const { names, wrong } = compare();
  expect(names).toHaveLength(VECTORS);
  expect(wrong).toEqual([]);
});

it("histogramSync has NumPy's edges and counts in a page", { timeout: 120_000 }, async (test) => {
  const { code, imports } = await bundleForBrowser(new URL("page/numpy-sync.ts", import.meta.url));
  expect(imports).toEqual([]);
  const opened = await openSite(moduleSite(code));
  if (typeof opened === "string") return test.skip(opened);
  await using site = opened;
  const { names, wrong } = await site.page.evaluate<ReturnType<typeof compare>>("outcome");
  expect(names).toHaveLength(VECTORS);
  expect(wrong).toEqual([]);
  expect(site.problems).toEqual([]);
});
