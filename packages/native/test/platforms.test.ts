import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { PLATFORMS } from "../src/platform/index.ts";

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));

/** The reference for the other lists: the folders of the platforms' packages. */
const platforms = readdirSync(new URL("../npm/", import.meta.url));
const { version, optionalDependencies } = read("../package.json");

it("every platform package is an optional dependency, under the name that the loader uses", () => {
  expect(PLATFORMS).toEqual(platforms);
  expect(Object.keys(optionalDependencies)).toEqual(platforms.map((name) => `@polybin/native-${name}`));
});

it.each(platforms)("%s is installed on that platform only, in the version of this package", (name) => {
  const [os, cpu] = name.split("-");
  expect(read(`../npm/${name}/package.json`)).toMatchObject({
    name: `@polybin/native-${name}`,
    version,
    os: [os],
    cpu: [cpu],
    main: "./polybin_native.node",
    files: ["polybin_native.node"],
  });
});

it("linux-x64 loads with the glibc that its README names", (test) => {
  const addon = new URL("../npm/linux-x64/polybin_native.node", import.meta.url);
  if (!existsSync(addon)) return test.skip("the addon is not built here");
  const versions = readFileSync(addon, "latin1").matchAll(/GLIBC_2\.(\d+)/g);
  expect(Math.max(...Array.from(versions, ([, minor]) => Number(minor)))).toBeLessThanOrEqual(34);
});
