import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
// @ts-expect-error a script without declarations
import { flagsOf } from "../scripts/targets.mjs";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
const codes: string[] = (flagsOf.all as string[]).filter((flag) => flag.startsWith("arch="));

/** "8.0" of "sm_80", "12.0" of "sm_120". */
const capability = (name: string): string => name.replace(/^\D+(\d+)(\d)$/, "$1.$2");

test("the addon of all GPUs has the machine code that docs/reference/packages.md promises, and PTX of the oldest", () => {
  const page = readFileSync(join(PACKAGE, "../../docs/reference/packages.md"), "utf8");
  const [, promised, oldest] = /machine code for compute capability (.+)\. For other GPUs from (\S+) on/.exec(
    page,
  )!;
  const made = codes.flatMap((code) => code.match(/sm_\d+/g) ?? []).map(capability);
  expect(made).toEqual(promised!.split(/, | and /));
  expect(codes.flatMap((code) => code.match(/code=compute_\d+/g) ?? []).map(capability)).toEqual([oldest]);
});

test("no kernel distinguishes architectures that share PTX", () => {
  const shared = codes.map((code) => ({
    from: Number(/compute_(\d+)/.exec(code)![1]),
    to: (code.match(/sm_\d+/g) ?? []).map((name) => Number(name.slice(3))),
  }));
  const sources = globSync(["{native,src}/**/*.{cu,cuh,h}"], { cwd: PACKAGE });
  const compared = sources.flatMap((name) =>
    [...readFileSync(join(PACKAGE, name), "utf8").matchAll(/__CUDA_ARCH__\s*([<>=!]=?)\s*(\d+)/g)].map(
      (match) => ({
        name,
        sign: match[1]!,
        arch: Number(match[2]) / 10,
      }),
    ),
  );
  expect(compared.length).toBeGreaterThan(0);
  // "from" itself is the PTX's own architecture, so a comparison differs only if its bound lies above it.
  const wrong = compared.filter(({ arch }) =>
    shared.some(({ from, to }) => to.some((one) => one > from && arch > from && arch <= one)),
  );
  expect(wrong).toEqual([]);
});
