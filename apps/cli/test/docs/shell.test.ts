// Every shell block of the documentation runs in a scratch folder with the files that the pages name, line by line,
// unless its fence says why not. `polybin`, `npx polybin` and `npm start --` are the built command; `npm install` checks
// the names of packages, since .ci/archives.mjs installs their archives.
import { chmodSync, copyFileSync, globSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { encode } from "fast-png";
import { expect, test } from "vitest";
import { MAIN, noise, scratch } from "../command.ts";
import { blocksOf, PAGES, ROOT } from "./blocks.ts";
import { run, write } from "./run.ts";

const blocks = PAGES.flatMap(blocksOf).filter(
  ({ language, mark, text }) => language === "sh" && mark === null && !text.startsWith("$ "),
);

const NPM = `
import { spawnSync } from "node:child_process";
const [verb, ...words] = process.argv.slice(2);
if (verb === "install") {
  const names = words.filter((word) => !word.startsWith("-"));
  const known = process.env.KNOWN.split(",");
  const unknown = names.filter((name) => !known.includes(name));
  if (names.length === 0 || unknown.length > 0) throw new Error("unknown packages: " + unknown.join(", "));
} else {
  const args = verb === "start" ? words.slice(words.indexOf("--") + 1) : verb === "polybin" ? words : null;
  if (args === null) throw new Error("the test has no npm " + verb + ": mark the block as not run, with a reason");
  process.exitCode = spawnSync(process.execPath, [process.env.MAIN, ...args], { stdio: "inherit" }).status ?? 1;
}
`;

/** The packages of this workspace that are published, and those that the pages install beside them. */
const KNOWN: readonly string[] = [
  ...globSync(["{packages,apps}/*/package.json"], { cwd: ROOT })
    .map((path) => JSON.parse(readFileSync(join(ROOT, path), "utf8")))
    .filter(({ private: isPrivate }) => isPrivate !== true)
    .map(({ name }) => name),
  "d3-array",
  "vitest",
  "webgpu",
];

/** A folder with the files that the pages name and the commands that they use. */
function folderOfAReader(): { readonly cwd: string; readonly env: NodeJS.ProcessEnv } {
  const cwd = scratch();
  symlinkSync(join(ROOT, "apps"), join(cwd, "apps"));
  copyFileSync(join(ROOT, "apps/cli/sample/evening.png"), join(cwd, "photo.png"));
  for (const name of ["before.png", "after.png"]) copyFileSync(join(cwd, "photo.png"), join(cwd, name));
  const grey = { width: 640, height: 480, channels: 1, depth: 8 } as const;
  for (const [i, name] of ["labels.png", "inside.png"].entries()) {
    const data = noise(grey.width * grey.height, i + 1).map((byte) => byte % 3);
    writeFileSync(join(cwd, name), encode({ ...grey, data }));
  }
  writeFileSync(join(cwd, "data.bin"), noise(10_000));
  writeFileSync(
    join(cwd, "column.f32"),
    Float32Array.from({ length: 1000 }, (_, i) => (i % 70) / 10 - 3.5),
  );
  const trips = Array.from({ length: 200 }, (_, i) => {
    const day = String(1 + (i % 28)).padStart(2, "0");
    return `2024-01-${day} 08:30:00,${i % 9 === 0 ? "" : ((i * 37) % 900) / 10},${i % 30},${["Rome", "Oslo"][i % 2]}`;
  });
  write(cwd, "trips.csv", `pickup,fare,distance,city\n${trips.join("\n")}\n`);
  const documents = Array.from({ length: 40 }, (_, i) => `${i % 3} 1:${i} 2:${(i * 7) % 11}`);
  write(cwd, "rank.train", `${documents.join("\n")}\n`);
  const npm = write(cwd, ".bin/npm.mjs", NPM);
  const command = (name: string, ...words: string[]): void =>
    chmodSync(
      write(cwd, `.bin/${name}`, `#!/bin/sh\nexec ${words.map((word) => `"${word}"`).join(" ")} "$@"\n`),
      0o755,
    );
  command("npm", process.execPath, npm);
  command("npx", process.execPath, npm);
  command("polybin", process.execPath, MAIN);
  const PATH = [join(cwd, ".bin"), process.env.PATH].join(delimiter);
  return { cwd, env: { ...process.env, PATH, MAIN, KNOWN: KNOWN.join(","), COLUMNS: "80", NO_COLOR: "1" } };
}

test("the pages have shell blocks", () => {
  expect(blocks.length).toBeGreaterThan(1);
});

test.for(blocks.map((block) => [block.at, block] as const))("%s runs", async ([, { text }]) => {
  await run("sh", ["-ec", text], folderOfAReader());
});

test("a command that fails is noticed", async () => {
  for (const text of [
    "polybin hist nowhere.bin\ntrue",
    "npm install polybim",
    "npm run what",
    "npm install",
  ]) {
    await expect(run("sh", ["-ec", text], folderOfAReader()), text).rejects.toThrow();
  }
});
