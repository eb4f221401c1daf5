import type { RunResult } from "@polybin/conformance";
import { bundleForBrowser } from "@polybin/testbed/bundle";
import { moduleSite, openSite } from "@polybin/testbed/site";
import { expect, it } from "vitest";

it("the backend fulfils the contract in a page", { timeout: 600_000 }, async (ctx) => {
  const { code } = await bundleForBrowser(new URL("page/conformance.ts", import.meta.url));
  const opened = await openSite(moduleSite(code));
  if (typeof opened === "string") return ctx.skip(opened);
  await using site = opened;
  const { device, passed, skipped, results } = await site.page.evaluate<RunResult>("outcome");
  console.log(`conformance in Chromium ${site.version} on ${device}: ${passed} passed, ${skipped} skipped`);
  for (const { topic, name, reason } of results.filter(({ status }) => status === "skipped")) {
    console.log(`skipped: ${topic} > ${name}: ${reason}`);
  }
  expect(results.filter(({ status }) => status === "failed")).toEqual([]);
  expect(passed).toBeGreaterThan(0);
  expect(site.problems).toEqual([]);
});
