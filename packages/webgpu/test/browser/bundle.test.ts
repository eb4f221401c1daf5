import { bundleForBrowser } from "@polybin/testbed/bundle";
import { expect, it } from "vitest";

const entry = (name: string): URL => new URL(`page/${name}.ts`, import.meta.url);

it.each(["core", "webgpu"])("the browser bundle of %s knows nothing of Node", async (name) => {
  const { code, imports } = await bundleForBrowser(entry(name));
  expect(imports).toEqual([]);
  // Core reads Node's memory sizes from globalThis if Node's globals exist. The bundle therefore includes nothing for
  // it.
  expect(code).not.toMatch(/(?<!getBuiltinModule\?\.\()["'`]node:|\brequire\(|(?<!\.)\b(process|Buffer)\.\w/);
});

it("the browser bundle of the conformance suite imports nothing", async () => {
  // It names Node's modules, and imports them only if there is a process.
  expect((await bundleForBrowser(entry("conformance"))).imports).toEqual([]);
});

it("webgpu uses the page's core if the page provides it", async () => {
  const doors = ["@polybin/core", "@polybin/core/backend"];
  expect((await bundleForBrowser(entry("webgpu"), doors)).imports.toSorted()).toEqual(doors);
});
