import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { resultsOf } from "../src/runner/report.ts";
import type { Results, Row } from "../src/runner/row.ts";
import { declarationsOf } from "../src/sources/declarations.ts";
import { type Fingerprint, Fingerprinter, type Fingerprints } from "../src/sources/fingerprints.ts";
import { Reach, type Source } from "../src/sources/reach.ts";
import { ageOf, ageText } from "../src/stale/stale.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));
let scratch: string;
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), "polybin-stale-"));
});
afterAll(() => rmSync(scratch, { recursive: true }));

it("a source is split into what it declares, without comments, includes and types", () => {
  const names = (text: string, language: "ts" | "as" | "wgsl" | "cuda") =>
    declarationsOf(text, language).map((one) => one.names);
  expect(
    names(
      `// A word.
#include "a.cuh"
#define TWICE(x) \\
  (2 * (x))
namespace polybin {
namespace {

enum Hint : uint32_t { cold, warm = 2 };
constexpr uint32_t LANES = 32;  // of a warp
template <typename Find, uint32_t period>
__global__ void __launch_bounds__(LANES)
    count(const uint4 *data, Find find) {
  data->x << 2;
}
using Count = unsigned long long;
struct Share {
  uint32_t first;
};

}  // namespace
std::vector<Share> sharesOf(uint32_t n) { return {}; }
}  // namespace polybin
`,
      "cuda",
    ),
  ).toEqual([["TWICE"], ["Hint", "cold", "warm"], ["LANES"], ["count"], ["Count"], ["Share"], ["sharesOf"]]);
  expect(
    names(
      "override THREADS: u32;\nvar<workgroup> table: array<u32, 4>;\n@compute @workgroup_size(THREADS)\nfn main() {\n}\n",
      "wgsl",
    ),
  ).toEqual([["THREADS"], ["table"], ["main"]]);
  expect(
    names(
      'import { a } from "./a.ts";\nexport interface Named {\n  a: string;\n}\nexport const [b, c] = [\n  1,\n  2,\n];\n/** Words. */\nexport async function d(): Promise<void> {\n  a();\n}\nexport { d };\n',
      "ts",
    ),
  ).toEqual([["b", "c"], ["d"]]);
});

describe("what a kernel is put together of", () => {
  const SLUGS = ["one", "two"];
  const files = {
    "kernels/one.wgsl":
      "override THREADS: u32;\n@compute @workgroup_size(THREADS)\nfn main() {\n  add(ONCE);\n}\n",
    "kernels/two/kernel.wgsl": "@compute @workgroup_size(64)\nfn main() {\n  add(TWICE);\n}\n",
    "kernels/lib/add.wgsl":
      "fn add(bin: u32) {\n  counts[bin] += 1u;\n}\nconst ONCE = 1u;\nconst TWICE = 2u;\n",
    "kernels/steps/fold.wgsl": "@compute @workgroup_size(64)\nfn fold() {\n}\n",
    "kernels/steps/read.wgsl": "@compute @workgroup_size(64)\nfn read() {\n}\n",
  };
  type Files = Record<string, string>;
  const textsOf = (of: Files) => {
    const sources = Object.entries(of).map(([path, text]): Source => ({ path, language: "wgsl", text }));
    const reach = new Reach(sources, SLUGS);
    return SLUGS.map((slug) => reach.of(slug, { aside: ["read"] })!.join("\n"));
  };
  /** Which of the two change with a file. */
  const changed = (more: Files) => {
    const [before, after] = [textsOf(files), textsOf({ ...files, ...more })];
    return SLUGS.filter((_, i) => before[i] !== after[i]);
  };
  const edited = (path: keyof typeof files, from: string, to: string) => {
    expect(files[path]).toContain(from);
    return changed({ [path]: files[path].replace(from, to) });
  };

  it("a kernel's text is its own", () => {
    expect(edited("kernels/one.wgsl", "add(ONCE)", "add(ONCE + 1u)")).toEqual(["one"]);
    expect(edited("kernels/two/kernel.wgsl", "(64)", "(128)")).toEqual(["two"]);
  });

  it("what is shared is of those that mention it, and a step of all", () => {
    expect(edited("kernels/lib/add.wgsl", "+= 1u", "+= 2u")).toEqual(SLUGS);
    expect(edited("kernels/lib/add.wgsl", "ONCE = 1u", "ONCE = 3u")).toEqual(["one"]);
    expect(edited("kernels/lib/add.wgsl", "TWICE = 2u", "TWICE = 3u")).toEqual(["two"]);
    expect(edited("kernels/steps/fold.wgsl", "(64)", "(32)")).toEqual(SLUGS);
    expect(edited("kernels/steps/read.wgsl", "(64)", "(32)")).toEqual([]);
  });

  it("neither words and spaces nor the names and places of files matter", () => {
    expect(changed({ "kernels/one.wgsl": `// New words.\n\n${files["kernels/one.wgsl"]}` })).toEqual([]);
    expect(edited("kernels/one.wgsl", "  add(ONCE);", "    add(ONCE); // again")).toEqual([]);
    const [add, once] = files["kernels/lib/add.wgsl"].split("const ONCE");
    const moved = textsOf({
      "rooms/kernels/one/main.wgsl": files["kernels/one.wgsl"],
      "rooms/kernels/two.wgsl": files["kernels/two/kernel.wgsl"],
      "rooms/shared/adding.wgsl": add!,
      "rooms/shared/numbers.wgsl": `const ONCE${once}`,
      "rooms/steps/folding.wgsl": files["kernels/steps/fold.wgsl"],
    });
    expect(moved).toEqual(textsOf(files));
  });
});

describe("on the sources at hand", () => {
  const now = new Fingerprinter();
  const FOLDERS: Readonly<Record<string, readonly string[]>> = {
    piscina: ["packages/piscina/src"],
    webgpu: ["packages/webgpu/src"],
    cuda: ["packages/cuda/src", "packages/cuda/native"],
  };

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

  /** A copy of a backend's sources in which something is done. */
  const kernelsAfter = (
    backend: string,
    work: (folder: string) => void,
  ): Readonly<Record<string, Fingerprint>> => {
    const copy = mkdtempSync(join(scratch, "copy-"));
    for (const folder of FOLDERS[backend]!)
      cpSync(join(ROOT, folder), join(copy, folder), { recursive: true });
    work(copy);
    return new Fingerprinter(copy).all()[backend]!;
  };
  const changedIn = (before: Readonly<Record<string, Fingerprint>>, after: typeof before) =>
    Object.keys(before).filter((slug) => before[slug]!.kernel !== after[slug]?.kernel);

  it.each([
    ["webgpu", "trish", [], ".wgsl", "override CHANGED: u32;\n"],
    ["webgpu", "per-lane", [], ".wgsl", "override CHANGED: u32;\n"],
    ["cuda", "per-warp", [], ".cu", "static_assert(sizeof(int) == 4);\n"],
    ["cuda", "trish", [], ".cu", "static_assert(sizeof(int) == 4);\n"],
    // On workers, codes of segments are counted by per-lane's loop.
    ["piscina", "per-lane", ["per-segment"], ".as.ts", "export const CHANGED: u32 = 1;\n"],
    ["piscina", "trish", [], ".as.ts", "export const CHANGED: u32 = 1;\n"],
  ])(
    "%s: a change of %s makes its rows stale, those of %j, and no other's",
    (backend, slug, users, ending, line) => {
      const before = kernelsAfter(backend, () => {});
      expect(before).toEqual(now.all()[backend]);
      const after = kernelsAfter(backend, (folder) => {
        const isIts = (path: string) =>
          path.endsWith(ending) && path.split("/").some((part) => part.split(".")[0] === slug);
        const files = globSync("**/*", { cwd: folder }).filter(isIts);
        expect(files.length).toBeGreaterThan(0);
        for (const file of files) appendFileSync(join(folder, file), line);
      });
      expect(changedIn(before, after).sort()).toEqual([slug, ...users].sort());
    },
  );
});

describe("what is said of a file", () => {
  const ROW: Row = {
    backend: "cpu",
    algorithm: "sequential",
    peer: null,
    type: "u8",
    bins: 256,
    n: 1024,
    distribution: "uniform",
    residence: "resident",
    ms: [1, 2],
    gbps: 1,
    ceilingPercent: null,
    exact: true,
  };
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
      const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, "--stale", ...args], {
        encoding: "utf8",
      });
      return { status, stdout, stderr };
    };
    const file = join(scratch, "out.json");
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
