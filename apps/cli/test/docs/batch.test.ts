// Runs the scripts of docs/guides/batch.md with 3 shards in place of 64, because each is a process. Stand-ins for Slurm,
// Kubernetes, AWS, Dask and Ray start the page's own commands, with the variables that these systems set.
import { chmodSync, readFileSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { COMPILED, MAIN, scratch } from "../command.ts";
import { blocksOf } from "./blocks.ts";
import { run, write } from "./run.ts";

const SHARDS = 3;
const tested = blocksOf("docs/guides/batch.md").filter(({ mark }) => mark?.word === "tested");

/** The tested blocks of a language, with fewer shards. */
const textsOf = (language: string): string[] =>
  tested
    .filter((block) => block.language === language)
    .map(({ text }) =>
      text
        .replaceAll(/\b64\b/g, String(SHARDS))
        .replaceAll("s3://data/trips.csv", "trips.csv")
        .replace("0-63", `0-${SHARDS - 1}`)
        .replace("7,21", "0,2"),
    );

/** What `sbatch` does here: it runs the tasks of an array one after the other, and then the job that depends on them. */
const SBATCH = `
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
const words = process.argv.slice(2);
const sh = (args, env) => spawnSync("sh", args, { env: { ...process.env, ...env }, stdio: ["ignore", 2, 2] }).status === 0;
const wrapped = words.indexOf("--wrap");
if (wrapped >= 0) {
  if (words[0] !== "--dependency=afterok:4711" || !existsSync("4711")) throw new Error("the array has not succeeded: " + words[0]);
  if (!sh(["-c", words[wrapped + 1]])) process.exitCode = 1;
} else {
  const file = words.at(-1);
  const own = /^#SBATCH --array=(\\S+)$/m.exec(readFileSync(file, "utf8"))[1];
  const array = words.find((word) => word.startsWith("--array="))?.slice("--array=".length) ?? own;
  const indices = array.split(",").flatMap((range) => {
    const [first, last = first] = range.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
  if (indices.every((i) => sh([file], { SLURM_ARRAY_TASK_ID: String(i), SLURM_CPUS_PER_TASK: "1" }))) writeFileSync("4711", "");
  if (words.includes("--parsable")) console.log("4711");
}
`;

/** What `aws` does here: it runs the commands of jobs one after the other, and a folder is the bucket. */
const AWS = `
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, writeFileSync } from "node:fs";
const [service, verb, ...words] = process.argv.slice(2);
const option = (name) => (words.includes(name) ? words[words.indexOf(name) + 1] : undefined);
if (service === "s3") {
  const [from, to] = words.filter((word) => word !== "--recursive").map((word) => word.replace("s3:/", "bucket"));
  cpSync(from, to, { recursive: words.includes("--recursive") });
} else {
  if (service + " " + verb !== "batch submit-job") throw new Error("expected submit-job");
  const after = option("--depends-on");
  if (after !== undefined && (after !== "jobId=4711" || !existsSync("4711"))) throw new Error("the array has not succeeded");
  const { command: [program, ...args] } = JSON.parse(option("--container-overrides"));
  const size = Number(option("--array-properties")?.replace("size=", "") ?? 1);
  for (let i = 0; i < size; i++) {
    const env = { ...process.env, ...(size > 1 ? { AWS_BATCH_JOB_ARRAY_INDEX: String(i) } : {}) };
    if (spawnSync(program, args, { env, stdio: ["ignore", 2, 2] }).status !== 0) process.exit(1);
  }
  writeFileSync("4711", "");
  console.log("4711");
}
`;

/** The parts of Dask and Ray that the page calls, without other machines. */
const DASK = `
class Client:
    def __init__(self, address=None): pass
    def __enter__(self): return self
    def __exit__(self, *error): pass
    def map(self, work, items, retries, **named): return [work(item, **named) for item in items]
    def gather(self, done): return done
`;
const RAY = `
class Remote:
    def __init__(self, work): self.remote = work
def remote(num_cpus, max_retries, retry_exceptions): return Remote
def init(): pass
def get(done): return done
`;

interface Folder {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** A folder with a table and the programs of a cluster. */
function folder(): Folder {
  const cwd = scratch();
  const rows = Array.from({ length: 500 }, (_, i) => (i % 7 === 0 ? "" : String(((i * 37) % 1100) / 10)));
  write(cwd, "trips.csv", `id,fare\n${rows.map((fare, i) => `${i},${fare}\n`).join("")}`);
  const sbatch = write(cwd, ".bin/sbatch.mjs", SBATCH);
  for (const [name, file] of [
    ["sbatch", sbatch],
    ["aws", write(cwd, ".bin/aws.mjs", AWS)],
    ["polybin", MAIN],
  ]) {
    chmodSync(write(cwd, `.bin/${name}`, `#!/bin/sh\nexec "${process.execPath}" "${file}" "$@"\n`), 0o755);
  }
  const own = { NODE_COMPILE_CACHE: COMPILED };
  return {
    cwd,
    env: { ...process.env, ...own, PATH: [join(cwd, ".bin"), process.env.PATH].join(delimiter) },
  };
}

/** The counts that one run prints. */
async function oneRun(of: Folder): Promise<unknown> {
  const { stdout } = await run(
    "polybin",
    ["hist", "trips.csv", "--column", "fare", "--range", "0,100", "--json"],
    of,
  );
  return JSON.parse(stdout).channels;
}

const countsIn = ({ cwd }: Folder, path: string): unknown =>
  JSON.parse(readFileSync(join(cwd, path), "utf8")).channels;

test("a Slurm job array counts, merges, and repeats the tasks that failed", async () => {
  const of = folder();
  const [script, submit, repeat] = textsOf("sh") as [string, string, string];
  write(of.cwd, "fares.sbatch", script);
  await run("sh", ["-ec", submit], of);
  const expected = await oneRun(of);
  expect(countsIn(of, "counts.json")).toEqual(expected);
  for (const failed of [0, 2]) rmSync(join(of.cwd, `parts/part-${failed}.bin`));
  const merge = ["-ec", "polybin merge parts/part-*.bin --json > counts.json"];
  await expect(run("sh", merge, of)).rejects.toMatchObject({
    stderr: expect.stringContaining("some are missing: 0, 2;"),
  });
  await run("sh", ["-ec", repeat], of);
  await run("sh", merge, of);
  expect(countsIn(of, "counts.json")).toEqual(expected);
});

test("an array job of AWS Batch counts every shard, and a second job merges them", async () => {
  const of = folder();
  const script = textsOf("sh").find((text) => text.includes("aws batch"))!;
  await run("sh", ["-ec", script], of);
  expect(countsIn(of, "bucket/data/counts.json")).toEqual(await oneRun(of));
});

test.each([
  ["dask", "dask/distributed.py", DASK],
  ["ray", "ray.py", RAY],
])("a Python program of %s counts every shard and merges them", async (name, path, module) => {
  const of = folder();
  write(of.cwd, path, module);
  const program = textsOf("python").find((text) => text.startsWith(`# fares_${name}.py`))!;
  write(of.cwd, `fares_${name}.py`, program);
  await run("python3", [`fares_${name}.py`], of);
  expect(countsIn(of, "counts.json")).toEqual(await oneRun(of));
});

test("a Kubernetes Indexed Job counts every shard, and a second Job merges them", async () => {
  const of = folder();
  const [indexed, merging] = textsOf("yaml").map((text) => parse(text)) as [Job, Job];
  expect(indexed.spec).toMatchObject({ completionMode: "Indexed", completions: SHARDS });
  write(of.cwd, "parts/.keep", "");
  for (let i = 0; i < SHARDS; i++) await container(indexed, of, { JOB_COMPLETION_INDEX: String(i) });
  await container(merging, of, {});
  expect(countsIn(of, "parts/counts.json")).toEqual(await oneRun(of));
});

interface Job {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly [
          {
            readonly command: readonly string[];
            readonly volumeMounts: readonly { readonly mountPath: string }[];
          },
        ];
      };
    };
  };
}

/** Runs the command of a Job's only container. Its volume of parts is a folder. */
async function container({ spec }: Job, { cwd, env }: Folder, own: NodeJS.ProcessEnv): Promise<void> {
  const [{ command, volumeMounts }] = spec.template.spec.containers;
  expect(volumeMounts.map(({ mountPath }) => mountPath)).toContain("/parts");
  const [program, ...args] = command.map((word) => word.replaceAll("/parts/", `${join(cwd, "parts")}/`));
  await run(program!, args, { cwd, env: { ...env, ...own } });
}
