import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { noRedis, TestRedis } from "../../../packages/cluster/test/redis.ts";
import { withProgress } from "../src/cluster/progress.ts";
import { program } from "../src/program.ts";
import { file, here, MAIN, polybin, refused } from "./command.ts";

const CSV = `fare,city\n${Array.from({ length: 3000 }, (_, i) => `${(i * 37) % 1000},${i % 3 === 0 ? "a" : "b"}\n`).join("")}`;

/** The cells of a joint histogram. */
function cells(stdout: string) {
  const { axes, shape, counts, flow } = JSON.parse(stdout);
  return { axes, shape, counts, flow };
}

/** What does not depend on the run. */
function counts(stdout: string) {
  const { input, axis, channels } = JSON.parse(stdout);
  return { input, axis, channels };
}

describe("with a Redis", () => {
  let redis: TestRedis;
  beforeAll(async () => {
    if (noRedis) return;
    redis = await TestRedis.start();
    vi.stubEnv("POLYBIN_REDIS_URL", redis.url);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await redis?.[Symbol.asyncDispose]();
  });
  beforeEach(({ skip }) => {
    if (noRedis) skip(noRedis);
  });

  test("a worker counts what one process counts, and a repeated request answers without a worker", async () => {
    const path = file("trips.csv", CSV);
    const large = join(dirname(path), "large");
    mkdirSync(large);
    const own = ["--allow", ".", "--spill", "large", "--max-partial", "1"];
    const worker = spawn(process.execPath, [MAIN, "cluster", "work", "--backend", "cpu", ...own], {
      cwd: dirname(path),
    });
    const log: Buffer[] = [];
    worker.stderr.on("data", (chunk) => log.push(chunk));
    await once(worker.stderr, "data");
    const args = ["--column", "fare", "--column", "city", "--by", "city", "--bins", "10", "--json"];
    const alone = await here(["hist", path, ...args, "--backend", "cpu"]);
    const request = ["cluster", "hist", path, ...args, "--name", "trips", "--shards", "3"];
    const first = await here(request);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(counts(first.stdout)).toEqual(counts(alone.stdout));

    const profile = await here(["cluster", "profile", path, "--json", "--name", "profile"]);
    expect(JSON.parse(profile.stdout).columns).toEqual(
      JSON.parse((await here(["profile", path, "--json", "--distinct-limit", "10000"])).stdout).columns,
    );

    // 2 bytes for each of 600,000 cells are more than --max-partial.
    const wide = join(dirname(path), "wide.csv");
    const rows = Array.from({ length: 600_000 }, (_, i) => `${i % 2000},${Math.floor(i / 2000)}\n`);
    writeFileSync(wide, `x,y\n${rows.join("")}`);
    const joint = ["--columns", "x,y", "--bins", "2000,300", "--range", "0,2000,0,300", "--json"];
    const together = await here(["cluster", "joint", wide, ...joint, "--name", "pair", "--spill", large]);
    expect(together).toMatchObject({ code: 0, stderr: "" });
    expect(cells(together.stdout)).toEqual(cells((await here(["joint", wide, ...joint])).stdout));
    expect(readdirSync(large)).toHaveLength(1);

    const second = await here(["cluster", "hist", path, ...args, "--name", "again", "--shards", "3"]);
    expect(counts(second.stdout)).toEqual(counts(first.stdout));
    expect((await here(["cluster", "status", "again"])).stdout).toMatch(/^again\/hist +done/m);

    worker.kill("SIGTERM");
    await once(worker, "exit");
    const said = Buffer.concat(log).toString();
    expect(said).toMatch(/^ready: cpu \([^\n]*\), may open \S+\n$/);
    // A relative place is shown as the folder that it is.
    expect(said).toContain(`may open ${dirname(path)}\n`);
    expect(counts((await here(request)).stdout)).toEqual(counts(first.stdout));

    const { stdout } = await here(["cluster", "status"]);
    expect(stdout).toMatch(/^name +state +counted +last change\n/);
    expect(stdout).toMatch(/trips\/extent +done +3 of 3 shards +\d{4}-/);
    expect(stdout).toMatch(/trips\/hist +done +3 of 3 shards/);
    const json = await here(["cluster", "status", "trips", "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject([
      { name: "trips/extent", state: "done", done: 3, shards: 3, run: 1, failures: [] },
      { name: "trips/hist", state: "done", done: 3, shards: 3, run: 1, failures: [] },
    ]);
    expect((await here(["cluster", "cancel", "trips"])).stdout).toBe("trips has ended already\n");
    expect((await here(["cluster", "gc", "trips", "--older-than", "1"])).stdout).toMatch(/^removed 0 jobs/);
    expect((await here(["cluster", "gc", "--spill", large])).stdout).toMatch(
      /^removed \d jobs \(\d+ keys of Redis\)\n$/,
    );
    expect((await here(["cluster", "status"])).stdout).toBe("no jobs\n");
    expect(readdirSync(large)).toEqual([]);
  });

  test.each(["hist", "profile"])("%s refuses standard input and pipes", async (command) => {
    const args = command === "hist" ? ["--column", "fare"] : [];
    for (const place of ["-", "/dev/stdin"]) {
      const request = ["cluster", command, place, ...args, "--format", "csv"];
      await refused(request, "ERR_INPUT", /save it as a file first/, Buffer.from(CSV));
    }
  });

  test("a name that does not exist is refused", async () => {
    await refused(
      ["cluster", "cancel", "nothing"],
      "ERR_INPUT",
      /expected the name of a job but received "nothing"/,
    );
    await refused(["cluster", "gc", "nothing"], "ERR_INPUT", /polybin cluster status lists them/);
  });

  test("--local counts with workers and a Redis of its own, and leaves nothing", async () => {
    const path = file("trips.csv", CSV);
    const args = ["--column", "fare", "--range", "0,1000", "--json"];
    const before = ownFolders();
    const local = await polybin(["cluster", "hist", path, ...args, "--local", "2", "--shards", "5"]);
    expect(local).toMatchObject({ code: 0, stderr: "" });
    expect(counts(local.stdout)).toEqual(
      counts((await here(["hist", path, ...args, "--backend", "cpu"])).stdout),
    );
    expect(ownFolders()).toEqual(before);
  });

  test("--local ends its workers and its Redis even if it is killed", async () => {
    const path = file("endless.csv", `fare\n${"1\n".repeat(2_000_000)}`);
    const before = ownFolders();
    const command = spawn(process.execPath, [
      MAIN,
      "cluster",
      "hist",
      path,
      "--column",
      "fare",
      "--local",
      "1",
    ]);
    await expect.poll(() => ownFolders().length, { timeout: 20_000 }).toBeGreaterThan(before.length);
    const [folder] = ownFolders().filter((name) => !before.includes(name)) as [string];
    await expect.poll(() => existsSync(join(tmpdir(), folder, "redis.sock")), { timeout: 20_000 }).toBe(true);
    command.kill("SIGKILL");
    await once(command, "exit");
    await expect.poll(() => existsSync(join(tmpdir(), folder)), { timeout: 20_000 }).toBe(false);
    await expect.poll(() => running(folder), { timeout: 20_000 }).toEqual([]);
  });
});

/** The folders of Redis servers of commands. Those of tests have other names. */
const ownFolders = (): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith("polybin-own-redis-"));

/** Processes whose environment or command line names a folder. */
function running(folder: string): string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid)
    .filter((pid) =>
      ["cmdline", "environ"].some((name) => {
        try {
          return readFileSync(`/proc/${pid}/${name}`, "utf8").includes(folder);
        } catch {
          return false;
        }
      }),
    );
}

test("TLS: the certificate must be known, and the password may be in the environment", async ({ skip }) => {
  if (noRedis) skip(noRedis);
  const port = await freePort();
  let authority = "";
  let made: ReturnType<typeof spawnSync> | null = null;
  const certified = (folder: string) => {
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    authority = cert;
    const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
    made = spawnSync("openssl", [
      "req",
      "-x509",
      "-nodes",
      "-days",
      "2",
      "-newkey",
      "rsa:2048",
      ...subject,
      "-keyout",
      key,
      "-out",
      cert,
    ]);
    const lines = [
      `tls-port ${port}`,
      `tls-cert-file ${cert}`,
      `tls-key-file ${key}`,
      `tls-ca-cert-file ${cert}`,
    ];
    return [...lines, "tls-auth-clients no", "bind 127.0.0.1"];
  };
  let redis: TestRedis;
  try {
    redis = await TestRedis.start(certified);
  } catch (error) {
    if (made!.error) skip("needs openssl");
    throw error;
  }
  await using _redis = redis;
  const status = ["cluster", "status", "--redis", `rediss://localhost:${port}`];
  const run = (env: NodeJS.ProcessEnv) => {
    const {
      status: code,
      stdout,
      stderr,
    } = spawnSync(process.execPath, [MAIN, ...status], {
      env: { ...process.env, ...env },
      encoding: "utf8",
    });
    return { code, stdout, stderr };
  };
  const password = { POLYBIN_REDIS_PASSWORD: redis.password };
  expect(run({ ...password, NODE_EXTRA_CA_CERTS: authority })).toEqual({
    code: 0,
    stdout: "no jobs\n",
    stderr: "",
  });
  const unknown = run(password);
  expect(unknown).toMatchObject({ code: 2, stdout: "" });
  expect(unknown.stderr).toMatch(
    /^error\[ERR_UNAVAILABLE\]: cannot use Redis at rediss:\/\/localhost:\d+: .*self.signed/,
  );
  const wrong = run({ POLYBIN_REDIS_PASSWORD: "wrong", NODE_EXTRA_CA_CERTS: authority });
  expect(wrong.stderr).toMatch(/WRONGPASS.*check the password in the URL or in POLYBIN_REDIS_PASSWORD/);
});

/** A port that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

test("deploy/ names commands, options and variables that exist", () => {
  const compose = readFileSync(new URL("../../../deploy/compose.yaml", import.meta.url), "utf8");
  const [first, second, ...words] = JSON.parse(/^ {4}command: (\[.*\])$/m.exec(compose)![1]!) as string[];
  const work = program(new AbortController().signal)
    .commands.find((command) => command.name() === first)!
    .commands.find((command) => command.name() === second)!;
  const longs = work.options.map(({ long }) => long);
  for (const word of words.filter((text) => text.startsWith("--"))) expect(longs).toContain(word);
  const variables = compose.match(/POLYBIN_\w+/g)!;
  expect([...new Set(variables)].sort()).toEqual(["POLYBIN_REDIS_PASSWORD", "POLYBIN_REDIS_URL"]);
  expect(readFileSync(new URL("../../../deploy/Dockerfile", import.meta.url), "utf8")).toContain(
    "npm run pack -- deploy/archives",
  );
});

const NO_WORKER =
  "warning: no worker is connected; start one on a machine that has the files: polybin cluster work --allow DIR\n";
const PAUSED =
  "warning: the queue is paused, so workers take no shards; resume it with the tool that paused it (BullMQ: queue.resume())\n";

test.each([
  [0, false, 1, NO_WORKER],
  [1, false, 1, ""],
  [0, false, 60_000, ""],
  [1, true, 1, PAUSED],
  [0, true, 1, PAUSED],
])(
  "%i workers, paused: %s, %i ms without progress: says once why nobody counts",
  async (workers, paused, idleMs, says) => {
    const looks = vi.fn(async () => workers);
    const said = await saidWhile({ workers: looks, paused: async () => paused }, idleMs);
    expect(said).toBe(says);
    expect(looks.mock.calls.length > 0).toBe(idleMs === 1 && !paused);
  },
);

test("a queue that is paused after a worker was missing is named, too", async () => {
  let looks = 0;
  expect(await saidWhile({ workers: async () => 0, paused: async () => looks++ > 0 }, 1)).toBe(
    NO_WORKER + PAUSED,
  );
});

/** The words on stderr while a command waits for shards that nobody counts. */
async function saidWhile(cluster: Parameters<typeof withProgress>[0], idleMs: number): Promise<string> {
  const said: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => said.push(String(text)) > 0);
  try {
    await withProgress(
      cluster,
      async (watch) => {
        for (let look = 0; look < 4; look++) {
          watch({ name: "job", pass: "hist", done: 0, total: 3 });
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      },
      idleMs,
    );
  } finally {
    vi.restoreAllMocks();
  }
  return said.join("");
}

test("wrong use is refused", async () => {
  vi.stubEnv("POLYBIN_REDIS_URL", undefined);
  const path = file("trips.csv", CSV);
  const hist = ["cluster", "hist", path, "--column", "fare"];
  for (const [args, code, says] of [
    [
      ["cluster"],
      "ERR_INPUT",
      /expected one of the commands work, hist, joint, profile, status, cancel, gc of polybin cluster/,
    ],
    [["cluster", "wrok"], "ERR_INPUT", /received "wrok"/],
    [["cluster", "work"], "ERR_INPUT", /expected --allow with the folders/],
    [["cluster", "work", "--allow", "/", "--concurrency", "0"], "ERR_INPUT", /--concurrency/],
    [["cluster", "hist", path], "ERR_INPUT", /expected --column/],
    [["cluster", "joint", path], "ERR_INPUT", /expected --columns with the names of two columns/],
    [["cluster", "joint", path, "--columns", "a"], "ERR_INPUT", /expected two names of columns/],
    [
      [...hist, "--redis", "redis://127.0.0.1:1", "--spill", join(path, "x")],
      "ERR_INPUT",
      /expected a folder for spill \(--spill\)/,
    ],
    [hist, "ERR_INPUT", /expected redis:\/\/HOST:PORT.*POLYBIN_REDIS_URL/],
    [
      [...hist, "--redis", "redis://127.0.0.1:1"],
      "ERR_UNAVAILABLE",
      /cannot use Redis at redis:\/\/127.0.0.1:1: .*--local N/,
    ],
    [[...hist, "--redis", "redis://x", "--local", "2"], "ERR_INPUT", /either --redis or --local/],
    [[...hist, "--local", "0"], "ERR_INPUT", /--local/],
    [
      [...hist, "--local", "1", "--shards", "2", "--shard-size", "3"],
      "ERR_INPUT",
      /either --shards or --shard-size/,
    ],
  ] as const) {
    await refused(args, code, says);
  }
  vi.unstubAllEnvs();
});

test("--local without redis-server on the path says what helps", async () => {
  vi.stubEnv("PATH", "/nowhere");
  const path = file("trips.csv", CSV);
  await refused(
    ["cluster", "hist", path, "--column", "fare", "--local", "2"],
    "ERR_UNAVAILABLE",
    /expected redis-server on the path .* \(apt-get install redis-server/,
  );
  vi.unstubAllEnvs();
});
