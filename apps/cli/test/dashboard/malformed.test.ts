import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Asked, ask, raw } from "./http.ts";

const REQUESTS = 10_000;
const LANES = 8;
/** Requests that warm caches and compilers before memory is compared. */
const WARM_UP = 2000;
const MOST_GROWTH_BYTES = 4e6;

let server: ChildProcess;
let origin: string;

const said = <T>(): Promise<T> =>
  new Promise((resolve) => server.once("message", (message) => resolve(message as T)));

beforeAll(async () => {
  const program = fileURLToPath(new URL("process.ts", import.meta.url));
  server = fork(program, { execArgv: ["--expose-gc"] });
  ({ origin } = await said<{ origin: string }>());
});
afterAll(() => {
  server.kill();
});

async function memory(): Promise<number> {
  server.send("memory");
  return (await said<{ bytes: number }>()).bytes;
}

/** Numbers that are the same on every run. */
function* numbers(): Generator<number, never> {
  let state = 0x2545f491;
  for (;;) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    yield state >>> 0;
  }
}

const pick = <T>(from: readonly T[], random: number): T => from[random % from.length]!;

const HOSTS = [
  "evil.example",
  "evil.example:80",
  "127.0.0.1",
  "127.0.0.1:1",
  "localhost",
  "[::1]:80",
  "127.0.0.1.evil.example:80",
  "0:0",
];
const ORIGINS = ["null", "http://evil.example", "https://127.0.0.1", "http://127.0.0.1:1", "file://", ""];
const TRICKS = [
  "/../package.json",
  "/..%2f..%2fpackage.json",
  "/%2e%2e/%2e%2e/etc/passwd",
  "//etc/passwd",
  "/assets/../index.html",
  "/data/..\\..\\index.html",
  "/data/%00",
  "/index.html/",
  "/index.html%00.png",
  "/.git/config",
  "/C:/windows",
  "/~root",
  "/api/../index.html",
  "/api/status/",
  "/API/status",
  "/api/%73tatus",
  "http://evil.example/",
  "*",
  "/;/",
  "/constructor",
  "/__proto__",
];
const BROKEN = [
  "",
  "{",
  "[]",
  "null",
  "1",
  '"x"',
  '{"backend":',
  "{'backend':1}",
  "\u0000",
  "{}{}",
  '{"__proto__":{"backend":"cpu"}}',
  "NaN",
];
const FIELDS = [
  null,
  -1,
  0,
  1.5,
  1e300,
  "",
  "cpu",
  "../../x",
  "x".repeat(5000),
  [],
  {},
  true,
  "__proto__",
  "constructor",
  "toString",
];
const SIZES = ["", "0", "-1", "1.5", "1e3", "NaN", "99999999999", "0x10", "+1", "%201"];

/** One request that must be refused. */
function malformed(next: () => number): Asked {
  const json = { "content-type": "application/json", origin };
  const pixels = { "content-type": "application/octet-stream", origin };
  const kind = next() % 11;
  switch (kind) {
    case 0:
      return { path: "/", headers: { host: pick(HOSTS, next()) } };
    case 1:
      return {
        method: "POST",
        path: pick(["/api/bench", "/api/histogram"], next()),
        headers: { ...json, origin: pick(ORIGINS, next()) },
        body: "{}",
      };
    case 2:
      return {
        method: "POST",
        path: "/api/bench",
        headers: { "content-type": "application/json" },
        body: "{}",
      };
    case 3:
      return { method: "POST", path: "/api/bench", headers: json, body: pick(BROKEN, next()) };
    case 4: {
      const field = () => pick(FIELDS, next());
      // With no backend that is one, whatever the rest is.
      const backend = pick(
        FIELDS.filter((value) => value !== "cpu"),
        next(),
      );
      return {
        method: "POST",
        path: "/api/bench",
        headers: json,
        body: JSON.stringify({
          backend,
          algorithm: field(),
          distribution: field(),
          power: field(),
          rounds: field(),
        }),
      };
    }
    case 5:
      return {
        method: "POST",
        path: "/api/bench",
        headers: { ...json, "content-length": 1e10 },
        body: "{",
        unfinished: true,
      };
    case 6:
      return {
        method: "POST",
        path: "/api/bench",
        headers: { ...json, "transfer-encoding": "chunked" },
        body: " ".repeat(17_000 + (next() % 50_000)),
        unfinished: true,
      };
    case 7:
      return { path: pick(TRICKS, next()) };
    case 8:
      return {
        method: pick(["PUT", "DELETE", "PATCH", "OPTIONS", "POST", "PROPFIND"], next()),
        path: pick(["/", "/api/status", "/data/index.json"], next()),
        headers: { origin },
      };
    case 9:
      return {
        method: "POST",
        path: pick(["/api/bench", "/api/histogram?width=1&height=1&backends=cpu"], next()),
        headers: {
          origin,
          "content-type": pick(
            ["text/plain", "multipart/form-data", "application/json; charset=utf-8", ""],
            next(),
          ),
        },
        body: "{}",
      };
    default: {
      const query = pick(
        [
          `width=${pick(SIZES, next())}&height=${pick(SIZES, next())}&backends=cpu`,
          "width=2&height=2&backends=nobody",
          "width=2&height=2&backends=cpu,cpu",
          "width=2&height=2",
          "width=2&height=2&backends=cpu",
          "width=99999&height=99999&backends=cpu",
          "%",
          "",
        ],
        next(),
      );
      return {
        method: "POST",
        path: `/api/histogram?${query}`,
        headers: pixels,
        body: "x".repeat(next() % 15),
      };
    }
  }
}

test("10,000 malformed requests are refused, each with a code, and leave nothing behind", async () => {
  const random = numbers();
  const next = () => random.next().value;
  const statuses = new Map<number, number>();
  const wrong: unknown[] = [];
  let sent = 0;
  let before = 0;
  const lane = async (until: number) => {
    while (sent < until) {
      sent++;
      const asked = malformed(next);
      const { status, text } = await ask(origin, asked);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const { error } =
        text === "" ? { error: null } : (JSON.parse(text) as { error: { code: string } | null });
      // An answer to what is not even HTTP has no body.
      const isRefused = status >= 400 && status < 500 && (error === null || /^ERR_[A-Z_]+$/.test(error.code));
      if (!isRefused || (error === null && status !== 400)) wrong.push({ asked, status, text });
    }
  };
  const lanes = (until: number) => Promise.all(Array.from({ length: LANES }, () => lane(until)));
  await lanes(WARM_UP);
  before = await memory();
  await lanes(REQUESTS);
  const growth = (await memory()) - before;
  console.log(
    `${sent} requests: ${JSON.stringify(Object.fromEntries(statuses))}, memory grew by ${growth} bytes`,
  );
  expect(wrong.slice(0, 5)).toEqual([]);
  expect(sent).toBeGreaterThanOrEqual(REQUESTS);
  expect(growth).toBeLessThan(MOST_GROWTH_BYTES);
  expect(server.exitCode).toBeNull();
  expect((await ask(origin, { path: "/" })).status).toBe(200);
});

test("what is no HTTP is refused, too", async () => {
  const { host } = new URL(origin);
  for (const bytes of [
    "\r\n\r\n\r\nx\r\n\r\n",
    "GET\r\n\r\n",
    "GET / HTTP/9.9\r\n\r\n",
    "\u0016\u0003\u0001\u0002\u0000\u0001",
    `GET / HTTP/1.1\r\nhost: ${host}\r\nx: ${"y".repeat(100_000)}\r\n\r\n`,
    `GET / HTTP/1.1\r\nhost: ${host}\r\nhost: evil.example\r\n\r\n`,
    `POST /api/bench HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n`,
    `POST /api/bench HTTP/1.1\r\nhost: ${host}\r\ncontent-length: -5\r\n\r\n`,
    "GET / HTTP/1.1\r\nconnection: close\r\n\r\n",
  ]) {
    expect(await raw(origin, bytes), JSON.stringify(bytes.slice(0, 60))).toMatch(/^HTTP\/1\.1 4\d\d /);
  }
  expect((await ask(origin, { path: "/" })).status).toBe(200);
});
