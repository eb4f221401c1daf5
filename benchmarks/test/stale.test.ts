import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { resultsOf } from "../src/runner/report.ts";
import type { Results, Row } from "../src/runner/row.ts";
import { type Fingerprint, Fingerprinter, type Fingerprints } from "../src/sources/fingerprints.ts";
import { ageOf, ageText } from "../src/stale/stale.ts";
import { rowWith, scratch } from "./shared.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const temporary = scratch();

describe("on the sources at hand", () => {
  const now = new Fingerprinter();
  it("everything that a committed file has rows of has a fingerprint", () => {
    const rows = globSync("*/*.json", { cwd: `${ROOT}benchmarks/results` }).flatMap((file) => {
      const read = JSON.parse(readFileSync(`${ROOT}benchmarks/results/${file}`, "utf8")) as Partial<Results>;
      return read.rows ?? [];
    });
    const pairs = new Set(
      rows.flatMap(({ backend, algorithm }) => (backend && algorithm ? [`${backend} ${algorithm}`] : [])),
    );
    expect(pairs.size).toBeGreaterThan(30);
    const without = [...pairs].filter((pair) => {
      const [backend, algorithm] = pair.split(" ");
      return now.of(backend!, algorithm!) === null;
    });
    expect(without).toEqual([]);
  });

  it("no two algorithms of a backend have the same", () => {
    for (const [backend, of] of Object.entries(now.all())) {
      const kernels = Object.values(of).map(({ kernel }) => kernel);
      expect([backend, new Set(kernels).size]).toEqual([backend, kernels.length]);
    }
  });

  /** A copy of a backend's sources in which the files that `isOne` names are edited. */
  const kernelsAfter = (
    backend: string,
    isOne: (path: string) => boolean,
    edited: (text: string) => string,
  ): Readonly<Record<string, Fingerprint>> => {
    const copy = mkdtempSync(join(temporary, "copy-"));
    const folder = `packages/${backend === "cpu" ? "core" : backend}`;
    cpSync(join(ROOT, folder), join(copy, folder), {
      recursive: true,
      filter: (path) => !/[/\\](node_modules|dist|build|results)$/.test(path),
    });
    const files = globSync("**/*.*", { cwd: copy }).filter(isOne);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) writeFileSync(join(copy, file), edited(readFileSync(join(copy, file), "utf8")));
    return new Fingerprinter(copy).all()[backend]!;
  };
  const changedIn = (backend: string, after: Readonly<Record<string, Fingerprint>>) => {
    const before = now.all()[backend]!;
    return Object.keys(before).filter((slug) => before[slug]!.kernel !== after[slug]?.kernel);
  };
  const isOf = (slug: string, ending: string) => (path: string) =>
    path.includes("/src/") &&
    path.endsWith(ending) &&
    path.split("/").some((part) => part.split(".")[0] === slug);

  it.each([
    ["webgpu", "trish", [], ".wgsl", "override CHANGED: u32;\n"],
    ["webgpu", "per-lane", [], ".wgsl", "override CHANGED: u32;\n"],
    ["cuda", "per-warp", [], ".cu", "static_assert(sizeof(int) == 4);\n"],
    ["cuda", "trish", [], ".cu", "static_assert(sizeof(int) == 4);\n"],
    ["piscina", "trish", [], ".as.ts", "export const CHANGED: u32 = 1;\n"],
    ["cpu", "trish", [], ".ts", "export const CHANGED = 1;\n"],
  ])(
    "%s: a change of %s makes its rows stale, those of %j, and no other's",
    (backend, slug, users, ending, line) => {
      const after = kernelsAfter(backend, isOf(slug, ending), (text) => text + line);
      expect(changedIn(backend, after).sort()).toEqual([slug, ...users].sort());
    },
  );

  it("a kernel that uses the files of another changes with it", () => {
    const after = kernelsAfter(
      "piscina",
      isOf("per-lane", ".as.ts"),
      (text) => `${text}export const A = 1;\n`,
    );
    expect(changedIn("piscina", after)).toContain("per-segment");
    expect(changedIn("piscina", after)).not.toContain("trish");
  });

  it.each([
    ["cpu", "cpu/counting.ts"],
    ["piscina", "platform/device-limits.ts"],
    ["webgpu", "kernels/steps/fold.wgsl"],
    ["cuda", "native/kernels/merge.cu"],
    ["cuda", "platform/device-limits.ts"],
  ])("%s: a change of %s, which all share, makes all rows stale", (backend, file) => {
    const edited = kernelsAfter(
      backend,
      (path) => path.endsWith(file),
      (text) => `${text}CHANGED;\n`,
    );
    expect(changedIn(backend, edited)).toEqual(Object.keys(now.all()[backend]!));
  });

  it("comments and formatting make no difference", () => {
    const after = kernelsAfter(
      "webgpu",
      (path) => path.endsWith(".wgsl"),
      (text) => `// New words.\n\n${text.replaceAll("\n", "\n\n")}`,
    );
    expect(changedIn("webgpu", after)).toEqual([]);
  });
});

describe("what is said of a file", () => {
  const ROW = rowWith();
  const OTHER: Row = { ...ROW, backend: "cuda", algorithm: "trish" };
  const PEER: Row = { ...ROW, backend: null, algorithm: null, peer: "js-loop" };
  const now: Fingerprints = {
    cpu: { sequential: { kernel: "a", plans: "b" } },
    cuda: { trish: { kernel: "c", plans: "d" } },
  };
  const asked = { of: (backend: string, algorithm: string) => now[backend]?.[algorithm] ?? null };
  const written = (rows: readonly Row[], sources?: Fingerprints): Results => {
    const { sources: _here, ...rest } = resultsOf({ rows, missing: [], commit: "0123456789abcdef" });
    return { ...rest, date: "2026-11-22T00:00:00.000Z", ...(sources === undefined ? {} : { sources }) };
  };

  it("it is as new as the code, older, or of unknown age", () => {
    expect(ageOf(written([ROW, OTHER], now), asked)).toEqual({ state: "current" });
    expect(ageOf(written([ROW]), asked)).toEqual({ state: "unknown" });
    expect(ageOf(written([ROW, OTHER], { cpu: now.cpu! }), asked)).toEqual({ state: "unknown" });
    expect(ageOf(written([PEER]), asked)).toEqual({ state: "current" });
    expect(ageOf(written([]), asked)).toEqual({ state: "unknown" });
    const then: Fingerprints = {
      cpu: { ...now.cpu, gone: { kernel: "e", plans: "f" } },
      cuda: { trish: { kernel: "another", plans: "others" } },
    };
    expect(ageOf(written([ROW, OTHER, OTHER], then), asked)).toEqual({
      state: "stale",
      outdated: [
        { backend: "cpu", algorithm: "gone", rows: 0, why: "it no longer exists" },
        {
          backend: "cuda",
          algorithm: "trish",
          rows: 2,
          why: "its kernel changed, and its plans changed",
        },
      ],
    });
  });

  it("in words", () => {
    const of = (name: string, file: Results) => ({ name, file, age: ageOf(file, asked) });
    const old = { ...now, cpu: { sequential: { kernel: "a", plans: "others" } } };
    expect(
      ageText([
        of("a.json", written([ROW, OTHER], old)),
        of("b.json", written([ROW])),
        of("c.json", written([ROW], now)),
      ]),
    ).toBe(`a.json: older than its code (commit 0123456789ab of 2026-11-22)
  cpu sequential: 1 row: its plans changed
b.json: age unknown, because it has no hashes (commit 0123456789ab of 2026-11-22)
3 files: 1 older than their code, 1 of unknown age, 1 up to date
`);
  });

  it("the command ends with 1 if a file is stale, and with 0 if none is", { timeout: 60_000 }, () => {
    const run = (...args: string[]) => {
      const found = spawnSync(process.execPath, [MAIN, "--stale", ...args], { encoding: "utf8" });
      return { status: found.status, stdout: found.stdout, stderr: found.stderr };
    };
    const file = join(temporary, "out.json");
    const fresh = resultsOf({ rows: [ROW], missing: [], commit: "here" });
    writeFileSync(file, JSON.stringify(fresh));
    expect(run(file)).toMatchObject({ status: 0, stderr: "" });
    const old = { ...fresh, sources: { cpu: { sequential: { kernel: "old", plans: "old" } } } };
    writeFileSync(file, JSON.stringify(old));
    const { status, stdout } = run(file);
    expect(status).toBe(1);
    expect(stdout).toMatch(
      /^out\.json: older than its code \(commit here .*\n {2}cpu sequential: 1 row: its kernel/,
    );
    writeFileSync(file, "[]");
    expect(run(file)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^error\[ERR_INPUT\]: [^\n]+\n$/),
    });
    expect(run("--quick").status).toBe(2);
  });
});
