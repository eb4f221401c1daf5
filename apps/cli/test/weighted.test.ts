import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { file, here, MAIN, noise, polybin, refused, scratch } from "./command.ts";
import { rankingText } from "./ranking.ts";

/** What `weighted --json` prints. */
interface Printed {
  readonly input: { readonly documents: number; readonly features: number; readonly values: number };
  readonly weights: string;
  readonly backend: string;
  readonly algorithm: string;
  readonly plans: readonly { readonly type: string; readonly features: number }[];
  readonly quantum: number | null;
  readonly features: readonly {
    readonly index: number;
    readonly bins: number;
    readonly edges: readonly number[];
    readonly counts: readonly number[];
    readonly sums: readonly number[];
    readonly sumsOfSquares?: readonly number[];
  }[];
}

async function weighted(args: readonly string[], stdin?: string): Promise<Printed> {
  const on = args.includes("--backend") ? [] : ["--backend", "cpu"];
  const bytes = stdin === undefined ? undefined : new TextEncoder().encode(stdin);
  const { code, stdout, stderr } = await here(["weighted", ...args, ...on, "--json"], bytes);
  if (code !== 0 || stderr !== "")
    throw new Error(`weighted ${args.join(" ")} ended with ${code}: ${stderr}`);
  expect(stdout.indexOf("\n")).toBe(stdout.length - 1);
  return JSON.parse(stdout) as Printed;
}

/** A LIBSVM file read in the plainest way: a dense column a feature, and no -0 in it. */
function dense(text: string) {
  const rows = text
    .split("\n")
    .map((line) => line.replace(/#.*/, "").trim())
    .filter((line) => line !== "")
    .map((line) => line.split(/\s+/));
  const pairs = rows.map((row) => new Map(row.slice(1).map((pair) => pair.split(":") as [string, string])));
  const names = [...new Set(pairs.flatMap((of) => [...of.keys()]))].filter((name) => name !== "qid");
  return {
    labels: rows.map((row) => Math.fround(Number(row[0]))),
    columns: new Map(names.map((name) => [Number(name), pairs.map((of) => Number(of.get(name) ?? 0) + 0)])),
  };
}

/** The cuts by another way than core's: every cut that there can be is tried, and the one nearest the share is taken. */
function edgesOf(column: readonly number[], bins: number): number[] {
  const ascending = [...column].sort((a, b) => a - b);
  const least = ascending[0]!;
  const largest = ascending.at(-1)!;
  if (least === largest) return [least - 0.5, least + 0.5];
  // Behind which ranks the value changes.
  const ends = ascending.flatMap((value, i) => (i > 0 && value !== ascending[i - 1] ? [i] : []));
  const edges = [least];
  let first = 0;
  for (let left = Math.min(bins, ends.length + 1); left > 1; left--) {
    const share = (ascending.length - first) / left;
    const open = ends.filter((end) => end > first);
    const possible = open.slice(0, open.length - left + 2);
    const [cut] = possible.sort((a, b) => Math.abs(a - first - share) - Math.abs(b - first - share) || a - b);
    edges.push((ascending[cut! - 1]! + ascending[cut!]!) / 2);
    first = cut!;
  }
  return [...edges, largest];
}

/** Adds up one by one, as the definition says. */
function binned(column: readonly number[], edges: readonly number[], weights: readonly number[]) {
  const bins = edges.length - 1;
  const zeros = () => new Array<number>(bins).fill(0);
  const [counts, sums, squares, sizes] = [zeros(), zeros(), zeros(), zeros()];
  for (const [i, value] of column.entries()) {
    const bin = value === edges[bins] ? bins - 1 : edges.findLastIndex((edge) => edge <= value);
    counts[bin]! += 1;
    sums[bin]! += weights[i]!;
    squares[bin]! += weights[i]! ** 2;
    sizes[bin]! += Math.abs(weights[i]!);
  }
  return { counts, sums, squares, sizes };
}

/** Documents with features of many kinds: few values, many, frequent zeros, negative ones, a constant, none. */
function synthetic(documents: number, seed = 1): string {
  const random = noise(documents * 8, seed);
  const lines = Array.from({ length: documents }, (_, i) => {
    const byte = (at: number) => random[8 * i + at]!;
    const pairs = [
      byte(0) > 30 ? `1:${byte(0) % 3}` : "",
      `2:${(byte(1) * 256 + byte(2)) / 977}`,
      byte(3) > 40 ? `5:${byte(3) - 120}` : "",
      "7:2.5",
      byte(4) > 70 ? `9:${byte(4)}e-3` : "",
      i % 7 === 0 ? "11:0" : "",
      `40000:-${byte(5)}.${byte(6)}`,
    ];
    return `${byte(7) % 5} qid:${i >> 4} ${pairs.filter(Boolean).join(" ")} # document ${i}`;
  });
  return `# a comment\n\n${lines.join("\n")}\n`;
}

/** Edges and counts are the independent ones; sums within the bound of docs/internals/weighted-sums.md. */
function check(found: Printed, text: string, bins: number, weights?: readonly number[]): void {
  const { labels, columns } = dense(text);
  expect(found.features.map(({ index }) => index)).toEqual([...columns.keys()].sort((a, b) => a - b));
  for (const { index, edges, counts, sums, bins: own } of found.features) {
    const column = columns.get(index)!;
    expect(edges).toEqual(edgesOf(column, bins));
    expect(own).toBe(counts.length);
    const wanted = binned(column, edges, weights ?? labels);
    expect(counts).toEqual(wanted.counts);
    for (const [bin, sum] of sums.entries()) {
      const rounding = wanted.sizes[bin]! * counts[bin]! * Number.EPSILON;
      const bound = (counts[bin]! * found.quantum!) / 2 + rounding;
      expect(Math.abs(sum - wanted.sums[bin]!)).toBeLessThanOrEqual(bound);
      // Labels are small integers, which a quantum divides.
      if (weights === undefined) expect(sum).toBe(wanted.sums[bin]);
    }
  }
}

test.for([2, 3, 16, 17, 256, 257, 65_536])("at most %i bins", async (bins) => {
  const text = synthetic(1001);
  const found = await weighted([file("x.svm", text), "--bins", `${bins}`]);
  check(found, text, bins);
  expect(found.input).toEqual({
    name: "x.svm",
    kind: "libsvm",
    documents: 1001,
    features: 7,
    values: text.match(/ \d+:/g)!.length,
  });
  expect(found.weights).toBe("labels");
  for (const plan of found.plans) expect(plan.type).toBe(bins <= 16 ? "u4" : bins <= 256 ? "u8" : "u16");
});

test("weights of a file, squares, and both from where they come", async () => {
  const text = synthetic(700, 3);
  const weights = Array.from(noise(700, 9), (byte, i) => Math.fround((byte - 90) / 7 + i / 1e3));
  const lines = `# gradients\n${weights.join("\r\n")}\n\n`;
  const found = await weighted([file("x", text), "--bins", "20", "--weights", file("w", lines), "--squares"]);
  check(found, text, 20, weights);
  expect(found.weights).toBe("w");
  for (const { index, edges, counts, sumsOfSquares } of found.features) {
    const { squares } = binned(dense(text).columns.get(index)!, edges, weights);
    // A square is at most 37^2 and has more than 2^20 steps to it.
    for (const [bin, square] of squares.entries()) {
      expect(Math.abs(sumsOfSquares![bin]! - square)).toBeLessThanOrEqual((counts[bin]! * 37 ** 2) / 2 ** 20);
    }
  }
  const piped = await weighted(["-", "--bins", "20", "--weights", file("w", lines)], text);
  expect(piped.features).toEqual(found.features.map(({ sumsOfSquares, ...rest }) => rest));
  const pipedWeights = await weighted([file("x", text), "--bins", "20", "--weights", "-"], lines);
  expect(pipedWeights.features).toEqual(piped.features);
});

test("the same bits on every backend and number of workers, with every algorithm that it has", async () => {
  const text = synthetic(3000, 5);
  const weights = Array.from(noise(3000, 9), (byte, i) => (byte - 90) / 7 + i / 1e3).join("\n");
  const args = [file("x", text), "--bins", "50", "--weights", file("w", weights), "--squares"];
  const on = async (...more: string[]) => weighted([...args, "--backend", ...more]);
  const { features } = await on("cpu");
  for (const threads of ["1", "3"]) {
    for (const algorithm of ["auto", "weighted-collision-free", "weighted-collision", "weighted-hybrid"]) {
      const found = await on("piscina", "--threads", threads, "--algorithm", algorithm);
      expect(found.backend).toBe("piscina");
      expect(found.features).toEqual(features);
    }
  }
});

test("one weight that is far larger than the others is refused; two limbs add it up", async () => {
  const path = file("x", Array.from({ length: 4000 }, (_, i) => `1 1:${i % 4}`).join("\n"));
  const weights = file("w", Array.from({ length: 4000 }, (_, i) => (i === 7 ? 1e6 : 0.375)).join("\n"));
  const args = [path, "--bins", "4", "--weights", weights];
  await refused(["weighted", ...args], "ERR_LIMIT", /limbs: 2/);
  const found = await weighted([...args, "--limbs", "2"]);
  expect(found.features[0]!.sums).toEqual([375, 375, 375, 375 - 0.375 + 1e6]);
});

test("fast is within its tolerance", async () => {
  const text = synthetic(900);
  const found = await weighted([file("x", text), "--bins", "9", "--precision", "fast"]);
  expect(found.quantum).toBeNull();
  const { labels, columns } = dense(text);
  for (const { index, edges, counts, sums } of found.features) {
    const wanted = binned(columns.get(index)!, edges, labels);
    expect(counts).toEqual(wanted.counts);
    for (const [bin, sum] of sums.entries()) {
      expect(Math.abs(sum - wanted.sums[bin]!)).toBeLessThanOrEqual(wanted.sizes[bin]! * 2 ** -9);
    }
  }
});

test("the forms that a line may have", async () => {
  const text = "\ufeff+1 qid:3\t0:1e0   3:-.5 \r\n-2.5\n\n  # nothing\n3 0:2 4294967295:7 # 5:5";
  const { features, input } = await weighted([file("x", text), "--bins", "4"]);
  expect(input).toMatchObject({ documents: 3, features: 3, values: 4 });
  expect(features).toEqual([
    { index: 0, bins: 3, edges: [0, 0.5, 1.5, 2], counts: [1, 1, 1], sums: [-2.5, 1, 3] },
    { index: 3, bins: 2, edges: [-0.5, -0.25, 0], counts: [1, 2], sums: [1, 0.5] },
    { index: 4294967295, bins: 2, edges: [0, 3.5, 7], counts: [2, 1], sums: [-1.5, 3] },
  ]);
});

test("a line, and a letter, may begin in one read and end in another", async () => {
  const pairs = Array.from({ length: 150_000 }, (_, i) => `${i}:${i % 7}`).join(" ");
  const text = `1 0:1 # ${"é".repeat(1 << 20)}\n2 ${pairs}\n3 0:5`;
  const { features, input } = await weighted([file("x", text), "--bins", "2"]);
  expect(input).toMatchObject({ documents: 3, features: 150_000, values: 150_002 });
  expect(features[0]).toEqual({ index: 0, bins: 2, edges: [0, 0.5, 5], counts: [1, 2], sums: [2, 4] });
  expect(features[149_999]).toMatchObject({ index: 149_999, sums: [4, 2] });
});

/** Documents of a line each with as many features, none of which another document has. */
function wide(documents: number, features: number): string {
  const line = (i: number) =>
    Array.from({ length: features }, (_, f) => `${i * features + f}:${(f % 9) + 1}`);
  return Array.from({ length: documents }, (_, i) => `${i % 5} ${line(i).join(" ")}`).join("\n");
}

test("more features than a call takes arguments, on cpu and workers", async () => {
  const path = file("wide", wide(3, 50_000));
  const workers = await weighted([path, "--bins", "4", "--backend", "piscina"]);
  expect(workers.features).toHaveLength(150_000);
  expect(workers.features[149_999]).toEqual({
    index: 149_999,
    bins: 2,
    edges: [0, 2.5, 5],
    counts: [2, 1],
    sums: [1, 2],
  });
  const { stdout } = await polybin(["weighted", path, "--bins", "4", "--backend", "cpu"]);
  expect(stdout).toMatch(/150,000 features, 150,000 values \(33\.3%/);
});

test("a feature takes less than 2 kB, were it for one value", async () => {
  const peak = async (documents: number, features: number) => {
    const path = file("wide", wide(documents, features));
    const report = "process.on('exit', () => process.stderr.write(String(process.resourceUsage().maxRSS)))";
    const args = [
      "--import",
      `data:text/javascript,${report}`,
      MAIN,
      "weighted",
      path,
      "--bins",
      "4",
      "--backend",
      "cpu",
    ];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    child.stderr.on("data", (chunk) => {
      said += chunk;
    });
    const [code] = await once(child, "close");
    expect(code).toBe(0);
    return 1024 * Number(said);
  };
  const [few, many] = [await peak(10, 10), await peak(100, 1000)];
  expect(few).toBeGreaterThan(0);
  expect((many - few) / 100_000).toBeLessThan(2000);
});

test("documents of a search engine: edges and counts are the independent ones, sums exact, cpu and workers the same bits", async () => {
  const text = rankingText(3005, 218, 17);
  const path = file("rank.train", text);
  for (const bins of [8, 64]) {
    const found = await weighted([path, "--bins", `${bins}`]);
    check(found, text, bins);
    expect(found.input.documents).toBe(3005);
    const workers = await weighted([path, "--bins", `${bins}`, "--backend", "piscina"]);
    expect(workers.features).toEqual(found.features);
  }
});

test("for people: a table that fits the page, the features first that explain most", async () => {
  // Feature 3 is the label, feature 8 its half, feature 9 has nothing to do with it.
  const random = noise(999);
  const lines = Array.from(random, (byte, i) => {
    const label = byte > 60 ? 2 : 0;
    return `${label} 3:${label} 8:${label ? byte : i % 30} 9:${(i * 7) % 31} 10:4`;
  });
  const path = file("x\u001b[31m.svm", lines.join("\n"));
  const { code, stdout, stderr } = await polybin(["weighted", path, "--bins", "16", "--backend", "cpu"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).not.toContain("\u001b");
  const printed = stdout.split("\n");
  for (const line of printed) expect([...line].length).toBeLessThanOrEqual(100);
  expect(printed[0]).toMatch(/999 documents, 4 features, 3,996 values/);
  expect(stdout).toMatch(/^weights: the labels, 0 to 2, /m);
  const rows = printed.filter((line) => /^ +\d+ /.test(line)).map((line) => line.trim().split(/\s+/));
  expect(rows.map(([index]) => index)).toEqual(["3", "8", "9", "10"]);
  expect(rows[0]).toEqual(expect.arrayContaining(["2", "1", "100.0%", "0", "▁█"]));
  expect(rows[3]).toEqual(expect.arrayContaining(["1", "100.0%", "none"]));
  expect(stdout).toMatch(/^cpu \(.*\), weighted-sequential\n3,996 values added up in .* m?s/m);
});

test("features have at most 256 bins unless --bins is given", async () => {
  const lines = Array.from({ length: 1000 }, (_, i) => `1 1:${i}`);
  const path = file("x.svm", lines.join("\n"));
  const { stdout } = await here(["weighted", path, "--backend", "cpu", "--json"]);
  expect(JSON.parse(stdout).features).toMatchObject([{ index: 1, bins: 256 }]);
});

test("shards of features merge to what one run prints", async () => {
  const path = file("rank.train", rankingText(120, 9, 1));
  const of = 3;
  const options = ["--bins", "8", "--squares", "--backend", "cpu"];
  const parts = await Promise.all(
    Array.from({ length: of }, async (_, i) => {
      const out = join(scratch(), `sums-${i}.json`);
      const outcome = await here(["weighted", path, ...options, "--shard", `${i}/${of}`, "--out", out]);
      expect(outcome).toMatchObject({ code: 0, stdout: "", stderr: "" });
      return out;
    }),
  );
  const whole = await weighted([path, ...options]);
  const some = join(scratch(), "some.json");
  expect((await here(["merge", parts[2]!, parts[0]!, "--out", some])).code).toBe(0);
  const merged = JSON.parse((await here(["merge", some, parts[1]!, "--json"])).stdout) as Printed;
  const own = { backend: null, device: null, plans: null, timings: null };
  expect({ ...merged, ...own }).toEqual({ ...whole, ...own });
  expect(whole.features.length).toBeGreaterThan(of);
  // The tables differ in the lines that say how the sums were counted.
  const [table, joined] = await Promise.all(
    [
      ["weighted", path, ...options],
      ["merge", ...parts],
    ].map(async (args) => (await here(args)).stdout.split("\n")),
  );
  expect(joined!.slice(0, -2)).toEqual(table!.slice(0, joined!.length - 2));
  expect(joined!.at(-2)).toMatch(/, merged from shards$/);

  await refused(["merge", some, "--json"], "ERR_INPUT", /some are missing: 1; count them/);
  await refused(["merge", parts[0]!, some], "ERR_INPUT", /expected every shard once but received 0 twice/);
  const other = join(scratch(), "other.json");
  const nine = ["--bins", "9", "--squares", "--backend", "cpu"];
  expect((await here(["weighted", path, ...nine, "--shard", "1/3", "--out", other])).stderr).toBe("");
  await refused(["merge", some, other], "ERR_INPUT", /expected a part of the same run/);
  const text = readFileSync(other, "utf8");
  const broken = (content: string) => file("broken.json", content);
  await refused(["merge", broken(text.replace('"bins":9', '"bins":8'))], "ERR_INPUT", /its checksum differs/);
  await refused(["merge", broken(text.slice(0, -40))], "ERR_INPUT", /it ends early, or was changed/);
  await refused(["weighted", path, "--shard", "0/2"], "ERR_INPUT", /expected --out FILE with --shard/);
});

test("a shard may have no feature, and weights of a file are part of the run", async () => {
  const path = file("two.train", "1 1:2 2:3\n2 1:4\n");
  const weights = file("w.txt", "0.5\n1.5\n");
  const options = ["--weights", weights, "--backend", "cpu"];
  const parts = await Promise.all(
    [0, 1, 2, 3].map(async (i) => {
      const out = join(scratch(), `p${i}.json`);
      const outcome = await here(["weighted", path, ...options, "--shard", `${i}/4`, "--out", out]);
      expect(outcome.stderr).toBe("");
      return out;
    }),
  );
  const merged = JSON.parse((await here(["merge", ...parts.reverse(), "--json"])).stdout) as Printed;
  const whole = await weighted([path, ...options]);
  expect(merged.features).toEqual(whole.features);
  expect([merged.quantum, merged.weights]).toEqual([whole.quantum, whole.weights]);
});
