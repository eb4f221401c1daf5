// docs/examples/registration through WebGPU, in Node and in a page. apps/cli/test/registration-example.test.ts runs it on the
// other backends.
import { readFile } from "node:fs/promises";
import { openEngine } from "@polybin/core";
import { bundleForBrowser } from "@polybin/testbed/bundle";
import type { SiteFiles } from "@polybin/testbed/server";
import { openSite } from "@polybin/testbed/site";
import { expect, test } from "vitest";
import { absence, backend } from "./shared.ts";

const EXAMPLE = new URL("../../../docs/examples/registration/", import.meta.url);
const TRUTH: readonly number[] = [7.5, 11.25, -4.5];

function expectTruth(found: readonly number[]): void {
  expect(found).toHaveLength(TRUTH.length);
  for (const [i, value] of found.entries()) expect(Math.abs(value - TRUTH[i]!)).toBeLessThan(0.1);
}

test("registration finds the transform in Node", async (context) => {
  const reason = await absence();
  if (reason !== null) return context.skip(reason);
  const { slice } = await import(new URL("phantom.js", EXAMPLE).href);
  const { register } = await import(new URL("register.js", EXAMPLE).href);
  await using engine = await openEngine({ backend: backend() });
  expect(engine.backend).toBe("webgpu");
  const [fixed, moving] = [
    slice(256, 0, { degrees: 0, shift: [0, 0] }),
    slice(256, 1, { degrees: TRUTH[0], shift: TRUTH.slice(1) }),
  ];
  const { degrees, shift } = await register(engine, fixed, moving);
  expectTruth([degrees, ...shift]);
});

test("registration finds the transform in a page", async (context) => {
  const { code } = await bundleForBrowser(new URL("page.js", EXAMPLE));
  const html = await readFile(new URL("index.html", EXAMPLE), "utf8");
  const files: SiteFiles = {
    "/": { type: "text/html", body: html },
    "/page.js": { type: "text/javascript", body: code },
  };
  const opened = await openSite(files, { search: "?fallback" });
  if (typeof opened === "string") return context.skip(opened);
  await using site = opened;
  const result = site.page.locator("#result", { hasText: "per second" });
  await result.waitFor();
  const text = (await result.textContent())!;
  expect(text).toMatch(/^webgpu: /);
  expectTruth(/([\d.]+) degrees, shift \(([\d.]+), (-[\d.]+)\)/.exec(text)!.slice(1).map(Number));
  expect(site.problems).toEqual([]);
});
