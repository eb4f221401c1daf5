import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

// The layers of the native half, the lowest first. Each may include itself and the layers below it. (The workspace's
// import rules cover the layers of the TypeScript code.)

const ROOMS: readonly (readonly [room: string, files: RegExp])[] = [
  ["numbers and structs", /^native\/generated\/(limits|structs)\.cuh$/],
  ["platform", /^(\.\.\/addon\/)?native\/platform\//],
  ["messages", /^native\/generated\/messages\.h$/],
  ["kernels", /^(native\/kernels|native\/generated\/kernels|src\/kernels)\//],
  ["memory", /^native\/memory\//],
  ["run", /^native\/(generated\/)?run\//],
  ["boundary", /^(\.\.\/addon\/)?native\/(generated\/)?boundary\//],
];

const root = fileURLToPath(new URL("../", import.meta.url));
const files = globSync("{native,src}/**/*.{h,cc,cu,cuh}", { cwd: root });
const levelOf = (file: string) => ROOMS.findIndex(([, of]) => of.test(file));

/** The files of this package and of @polybin/addon that a file includes, as paths from the package's folder. */
function includesOf(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  return Array.from(text.matchAll(/^#include "(.+)"$/gm), ([, name]) => {
    const places = [join(dirname(file), name!), join("native", name!), join("../addon/native", name!)];
    return places.find((place) => existsSync(join(root, place))) ?? name!;
  });
}

it("every native file is in a room", () => {
  expect(files.length).toBeGreaterThan(80);
  expect(files.filter((file) => levelOf(file) < 0)).toEqual([]);
});

it("native files include downwards only", () => {
  const upwards = files.flatMap((file) =>
    includesOf(file)
      .filter((other) => levelOf(other) < 0 || levelOf(other) > levelOf(file))
      .map((other) => `${file} includes ${relative(".", other)}`),
  );
  expect(upwards).toEqual([]);
});

it("only an algorithm's own folder includes it", () => {
  const folderOf = (file: string) => /^src\/kernels\/([^/]+)\//.exec(file)?.[1];
  const foreign = files.flatMap((file) =>
    includesOf(file).filter((other) => folderOf(other) !== undefined && folderOf(other) !== folderOf(file)),
  );
  expect(foreign).toEqual([]);
});

it("no native file outside the folders of algorithms names one", () => {
  const slugs = globSync("src/kernels/*/index.ts", { cwd: root }).map((file) => file.split("/")[2]!);
  const naming = files
    .filter((file) => !/^src\/kernels\/|\/generated\//.test(file))
    .filter((file) => slugs.some((slug) => readFileSync(join(root, file), "utf8").includes(`"${slug}"`)));
  expect(naming).toEqual([]);
});
