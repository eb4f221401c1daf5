// docs/internals/adding-an-algorithm.md is carried out: its files are put into a copy of the checkout, everything is built there by
// the packages' own scripts, and the conformance suite's cases of the new algorithm run on every backend that can be had.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Block, blocksOf, ROOT } from "./blocks.ts";
import { run, write } from "./run.ts";

const PAGE = "docs/internals/adding-an-algorithm.md";
const PACKAGES = ["core", "conformance", "piscina", "webgpu", "cuda"];
/** The packages above take their scripts from this one, which nothing builds. */
const SCRIPTS = "packages/addon";
const TABLE = "docs/internals/algorithms/README.md";
/** SwiftShader compiles a kernel for seconds, and there are many. */
const LONG_MS = 600_000;

const files = blocksOf(PAGE).filter(({ mark }) => mark?.word === "file");
const pathOf = ({ mark }: Block): string => mark!.text;
const slug = /algorithms\/([\w-]+)\.ts$/.exec(
  files.map(pathOf).find((path) => path.startsWith("packages/core/src/"))!,
)![1]!;

let checkout = "";

/** A package of the copy finds the other copies; whatever else it imports is the checkout's. */
function linked(folder: string): void {
  const own = join(ROOT, folder, "node_modules");
  const names = readdirSync(own).flatMap((name) =>
    name.startsWith("@") ? readdirSync(join(own, name)).map((one) => `${name}/${one}`) : [name],
  );
  for (const name of names) {
    const to = join(checkout, folder, "node_modules", name);
    mkdirSync(join(to, ".."), { recursive: true });
    const copy = PACKAGES.find((one) => name === `@polybin/${one}`);
    symlinkSync(copy ? join(checkout, "packages", copy) : realpathSync(join(own, name)), to);
  }
}

/** Runs one of a package's scripts, as the manifest has it, without what pnpm does around it. */
async function script(folder: string, command: string, env: Record<string, string> = {}): Promise<void> {
  const cwd = join(checkout, folder);
  const { scripts } = JSON.parse(readFileSync(join(cwd, "package.json"), "utf8"));
  const plain = command.replaceAll(/pnpm run (\w+)/g, (_, name) => scripts[name]);
  const PATH = [join(ROOT, folder, "node_modules", ".bin"), process.env.PATH].join(delimiter);
  await run("sh", ["-c", plain], { cwd, env: { ...process.env, ...env, PATH } }).catch((error) => {
    throw new Error(`${folder}: ${plain}\n${error.stdout}${error.stderr}`);
  });
}

/** Runs tests of a package as the page says, and tells how many of them passed. */
async function passed(name: string, words: readonly string[]): Promise<number> {
  const report = join(checkout, `${name}.json`);
  const command = ["vitest run --reporter json --outputFile", `"${report}"`, ...words].join(" ");
  await script(`packages/${name}`, command);
  const { numFailedTests, numPassedTests } = JSON.parse(readFileSync(report, "utf8"));
  expect(numFailedTests).toBe(0);
  return numPassedTests;
}

beforeAll(async () => {
  checkout = mkdtempSync(join(tmpdir(), "polybin-docs-"));
  const isSource = (path: string): boolean =>
    !/\/(node_modules|dist|build|generated|npm|\.turbo)(\/|$)/.test(path);
  for (const folder of [
    ".config",
    "docs/internals/algorithms",
    "apps/cli/docs",
    "apps/cli/package.json",
    SCRIPTS,
    ...PACKAGES.map((name) => `packages/${name}`),
  ]) {
    cpSync(join(ROOT, folder), join(checkout, folder), {
      recursive: true,
      filter: (path) => isSource(path.slice(ROOT.length - 1)),
    });
  }
  for (const folder of ["apps/cli", ...PACKAGES.map((name) => `packages/${name}`)]) linked(folder);
  for (const block of files) write(checkout, pathOf(block), `${block.text}\n`);
  for (const name of PACKAGES) {
    const { scripts } = JSON.parse(readFileSync(join(checkout, "packages", name, "package.json"), "utf8"));
    await script(`packages/${name}`, scripts.build, { POLYBIN_CUDA: "none" });
  }
}, LONG_MS);

afterAll(() => rmSync(checkout, { recursive: true, force: true }));

test("it adds at most 8 files beside tests, each of them new", () => {
  const paths = files.map(pathOf);
  expect(paths.filter((path) => existsSync(join(ROOT, path)))).toEqual([]);
  const written = [...paths.filter((path) => !path.includes("/test/")), TABLE];
  expect(written.length).toBeLessThanOrEqual(8);
  const told = readFileSync(join(ROOT, PAGE), "utf8").split("## Files\n")[1]!;
  for (const path of [...paths, TABLE]) expect(told).toContain(`| \`${path}\` |`);
});

test("core takes it and its parameter, and the page's own test passes", async () => {
  expect(await passed("core", [slug])).toBe(3);
});

// A process each, side by side.
describe.concurrent("the conformance suite passes", () => {
  const own = ["-t", slug];
  test("on core's cpu, as its reference", { timeout: LONG_MS }, async () => {
    expect(await passed("conformance", ["cpu.test", ...own])).toBeGreaterThan(10);
  });

  test("on workers", { timeout: LONG_MS }, async () => {
    expect(await passed("piscina", ["test/conformance.test.ts", ...own])).toBeGreaterThan(20);
  });

  test("on WebGPU", { timeout: LONG_MS }, async ({ skip }) => {
    const count = await passed("webgpu", ["test/conformance", ...own]);
    const isBrought = process.platform === "linux" && process.arch === "x64";
    if (count === 0 && !isBrought) return skip("the install brings SwiftShader for Linux x64 only");
    expect(count).toBeGreaterThan(10);
  });
});

test("nvcc compiles its CUDA kernel, and the addon's table has it", { timeout: LONG_MS }, async ({
  skip,
}) => {
  const found = await run("nvcc", ["--version"]).catch(() => null);
  if (found === null) return skip("the kernel is not compiled here: that needs nvcc");
  const flags = "-std=c++17 -I native -I ../addon/native -arch=sm_90 -c";
  await script("packages/cuda", `nvcc ${flags} src/kernels/${slug}/kernel.cu -o kernel.o`);
  await script("packages/cuda", `nvcc ${flags} native/generated/run/kernels.cc -o kernels.o`);
  expect(readFileSync(join(checkout, "packages/cuda/native/generated/run/kernels.cc"), "utf8")).toContain(
    `"${slug}", 4,`,
  );
});

test("its CUDA kernel counts, compiled for the host", { timeout: LONG_MS }, async ({ skip }) => {
  const found = await run("g++", ["--version"]).catch(() => null);
  if (found === null) return skip("the kernel is not emulated here: that needs g++");
  for (const longest of [1, 2, 1024]) {
    const header = `-DHEADER='"generated/kernels/${slug}.cuh"'`;
    const sources = `src/kernels/${slug}/kernel.cu native/kernels/merge.cu`;
    const kernel = `-DKERNEL=runLength '-DOWN=RunLength{${longest}}' -x c++ ${sources}`;
    const flags = `-std=c++17 -O1 -U_FORTIFY_SOURCE -I test/emulated -I native ${header} ${kernel}`;
    await script("packages/cuda", `g++ ${flags} test/emulated/codes.cc -o emulated && ./emulated`);
  }
});

test("the table of algorithms gains its row, and nothing else changes", async () => {
  const lines = (): string[] => readFileSync(join(checkout, TABLE), "utf8").split("\n");
  const before = lines();
  await script("apps/cli", "node docs/tables.mjs");
  const row = lines().filter((line) => !before.includes(line));
  expect(row).toEqual([expect.stringMatching(`^\\| \\[${slug}\\].* \\| yes \\| yes \\| yes \\| `)]);
  expect(lines().filter((line) => line !== row[0])).toEqual(before);
});
