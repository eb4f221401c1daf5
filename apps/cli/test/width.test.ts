import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { file, here, MAIN, noise, scratch } from "./command.ts";

const sample = fileURLToPath(new URL("../sample/evening.png", import.meta.url));
const CPU = ["--backend", "cpu"];
const RANKING = Array.from(
  noise(600),
  (byte, i) => `${byte & 3} 1:${byte} 2:${i % 7} 310:${(byte * 37) % 1000}`,
);
const TRIPS = [
  "a long name of a column of the table,city,when",
  ...Array.from(
    { length: 99 },
    (_, i) =>
      `${i === 5 ? "" : i / 7},${["Oslo", "a long name of a city"][i % 2]},2024-01-01T10:00:0${i % 9}.5Z`,
  ),
].join("\n");

const outputs: readonly (readonly [what: string, args: () => string[]])[] = [
  ["a picture", () => ["hist", sample, ...CPU]],
  [
    "percentiles and flow",
    () => ["hist", sample, "--range", "30,90", "--percentiles", "1,5,25,50,75,95,99", ...CPU],
  ],
  ["few bins", () => ["hist", file("b", noise(5000)), "--bins", "7", "--range", "0,1", ...CPU]],
  ["a linear scale", () => ["hist", sample, "--channel", "r", "--scale", "linear", ...CPU]],
  ["a long name", () => ["hist", file(`${"a long name ".repeat(9)}.bin`, noise(500)), ...CPU]],
  ["nothing", () => ["hist", file("b", ""), ...CPU]],
  ["an explanation", () => ["hist", sample, "--channel", "r", "--tiles", "64x64", "--explain", ...CPU]],
  ["sums", () => ["weighted", file("rank.train", RANKING.join("\n")), ...CPU]],
  ["a profile", () => ["profile", file("trips.csv", TRIPS), ...CPU]],
  ["backends", () => ["backends"]],
];

test.for(outputs.flatMap(([what, args]) => [40, 80, 200].map((columns) => [what, columns, args] as const)))(
  "%s fits %i columns",
  async ([, columns, args]) => {
    const { code, stdout } = await here(args(), undefined, columns);
    expect(code).toBe(0);
    for (const line of stdout.split("\n")) {
      expect(line).toBe(line.trimEnd());
      // A path in a reason is one word, which can be copied as a whole.
      if (/\S \S/.test(line)) expect([...line].length, line).toBeLessThanOrEqual(columns);
    }
  },
);

test("a narrow table goes without columns, not without features", async () => {
  const path = file("rank.train", RANKING.join("\n"));
  const narrow = (await here(["weighted", path, ...CPU], undefined, 40)).stdout;
  expect(narrow).toMatch(/^feature +best split +explains +means$/m);
  expect(narrow).toMatch(/^ +310 +< [\d.]+ +\d+\.\d% +[▁▂▃▄▅▆▇█]+$/m);
  const wide = (await here(["weighted", path, ...CPU], undefined, 80)).stdout;
  expect(wide).toMatch(/^feature +bins +fullest +best split +explains +mean weight along the bins$/m);
  // --bins is 256 unless it is given.
  expect(wide).toMatch(/^ +2 +7 /m);
});

test("--scale chooses the scale of charts and plots", async () => {
  const path = file("b", noise(5000));
  const svg = join(scratch(), "p.svg");
  for (const scale of ["linear", "log"]) {
    const { stdout } = await here(["hist", path, "--scale", scale, "--svg", svg, ...CPU]);
    expect(stdout).toContain(` counted · ${scale} scale`);
    expect(readFileSync(svg, "utf8").includes("count (log scale)")).toBe(scale === "log");
  }
});

/** The choice of auto for a small file: compiled kernels, or core's loops where there is no addon. */
const CHOSEN = "(native \\(\\d+ threads?\\), per-lane|cpu \\(1 JavaScript thread\\), sequential)";

test("the chart says what auto chose, and not what the user did", async () => {
  const path = file("b", noise(5000));
  expect((await here(["hist", path])).stdout).toMatch(new RegExp(`\n${CHOSEN}; chosen by auto\n`));
  expect((await here(["hist", path, ...CPU])).stdout).not.toContain("auto");
});

test("an empty file says so: a chart in its place, else on stderr", async () => {
  const path = file("b", "");
  const told = "b is empty: there are no values to count\n";
  expect(await here(["hist", path, ...CPU])).toEqual({
    code: 0,
    stdout: `b  0 values of u8, 256 bins over [0, 256)\n\n${told}`,
    stderr: "",
  });
  for (const args of [["--json"], ["--csv"], ["--every", "5", "--csv"]]) {
    const { code, stdout, stderr } = await here(["hist", path, ...args, ...CPU]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: `warning: ${told}` });
    expect(stdout).not.toBe("");
  }
});

test("with --csv, auto's choice is printed on a terminal only", async (context) => {
  const path = file("b", noise(50));
  const line = `"${process.execPath}" "${MAIN}" hist "${path}" --csv`;
  const { stdout, error } = spawnSync("script", ["-qec", line, "/dev/null"], {
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
  });
  if (error !== undefined) context.skip(`script is not installed here: ${error.message}`);
  expect(stdout).toMatch(new RegExp(`auto chose ${CHOSEN}\r\n`));
  expect(await here(["hist", path, "--csv"])).toMatchObject({ code: 0, stderr: "" });
});
