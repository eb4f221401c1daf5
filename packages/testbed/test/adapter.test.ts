import { expect, it } from "vitest";
import { bundleForBrowser } from "../src/bundle.ts";
import { moduleSite, openSite } from "../src/site.ts";
import { TINY_ANSWER } from "./tiny-shader.ts";

it("a page has an adapter and runs WGSL", async (ctx) => {
  const { code } = await bundleForBrowser(new URL("adapter-page.ts", import.meta.url));
  const opened = await openSite(moduleSite(code));
  if (typeof opened === "string") return ctx.skip(opened);
  await using site = opened;
  expect(await site.page.evaluate("outcome")).toMatchObject({ isolated: true, sums: TINY_ANSWER });
  expect(site.problems).toEqual([]);
});
