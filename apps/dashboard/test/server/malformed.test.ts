import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Answer, type Asked, ask, parsed, raw, Wire } from "./http.ts";

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

/** Bytes that Node's parser refuses, or that it hands on as no usual request, and what the answer is. */
const strange = (): readonly (readonly [bytes: string, status: number, code: string])[] => {
  const { host } = new URL(origin);
  const post = `POST /api/bench HTTP/1.1\r\nhost: ${host}\r\norigin: ${origin}\r\ncontent-type: application/json\r\n`;
  return [
    ["\r\n\r\n\r\nx\r\n\r\n", 400, "ERR_HTTP"],
    ["GET\r\n\r\n", 400, "ERR_HTTP"],
    ["GET / HTTP/9.9\r\n\r\n", 400, "ERR_HTTP"],
    [`BREW / HTTP/1.1\r\nhost: ${host}\r\n\r\n`, 400, "ERR_HTTP"],
    ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "ERR_HTTP"],
    ["\u0016\u0003\u0001\u0002\u0000\u0001", 400, "ERR_HTTP"],
    [`GET / HTTP/1.1\r\nhost: ${host}\r\nx: ${"y".repeat(100_000)}\r\n\r\n`, 431, "ERR_TOO_LARGE"],
    [`GET /${"y".repeat(60_000)} HTTP/1.1\r\nhost: ${host}\r\n\r\n`, 431, "ERR_TOO_LARGE"],
    [`${post}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n`, 400, "ERR_HTTP"],
    [`${post}content-length: -5\r\n\r\n`, 400, "ERR_HTTP"],
    [`${post}transfer-encoding: gzip\r\n\r\nx`, 400, "ERR_HTTP"],
    [`${post}transfer-encoding: chunked\r\n\r\nzz\r\n`, 400, "ERR_HTTP"],
    [`GET / HTTP/1.1\r\nhost: ${host}\r\nhost: evil.example\r\nconnection: close\r\n\r\n`, 421, "ERR_HOST"],
    ["GET / HTTP/1.1\r\nconnection: close\r\n\r\n", 421, "ERR_HOST"],
    ["GET / HTTP/1.0\r\n\r\n", 421, "ERR_HOST"],
    [`GET / HTTP/1.1\r\nhost: ${host}\r\nexpect: foo\r\nconnection: close\r\n\r\n`, 417, "ERR_EXPECTATION"],
    [`CONNECT ${host} HTTP/1.1\r\nhost: ${host}\r\n\r\n`, 405, "ERR_METHOD"],
    ["GET / HTTP/1.1\r\nconnection: upgrade, close\r\nupgrade: websocket\r\n\r\n", 421, "ERR_HOST"],
  ];
};

/** One request that must be refused, or bytes that are none. */
function malformed(next: () => number): Asked | string {
  const json = { "content-type": "application/json", origin };
  const pixels = { "content-type": "application/octet-stream", origin };
  const kind = next() % 13;
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
    case 10:
      return { path: "/", headers: { expect: pick(["foo", "100-continued", "200-ok"], next()) } };
    case 11:
      return pick(strange(), next())[0];
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

/** The code of a refusal that has the headers of every answer. */
function codeOf({ headers, text }: Answer): string | undefined {
  if (headers["content-type"] !== "application/json" || headers["x-content-type-options"] !== "nosniff")
    return;
  return (JSON.parse(text) as { error: { code: string } }).error.code;
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
      const answer = await (typeof asked === "string" ? raw(origin, asked) : ask(origin, asked));
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (answer.status < 400 || answer.status >= 500 || !/^ERR_[A-Z_]+$/.test(codeOf(answer) ?? "")) {
        wrong.push({ asked, answer });
      }
    }
  };
  const lanes = (until: number) => Promise.all(Array.from({ length: LANES }, () => lane(until)));
  await lanes(WARM_UP);
  before = await memory();
  await lanes(REQUESTS);
  const after = await memory();
  console.log(
    `${sent} requests: ${JSON.stringify(Object.fromEntries(statuses))}, memory ${before} bytes, then ${after}`,
  );
  expect(wrong.slice(0, 5)).toEqual([]);
  expect(sent).toBeGreaterThanOrEqual(REQUESTS);
  expect(after - before).toBeLessThan(MOST_GROWTH_BYTES);
  expect(server.exitCode).toBeNull();
  expect((await ask(origin, { path: "/" })).status).toBe(200);
});

test("what is no HTTP, or no usual request, is refused in the same words", async () => {
  for (const [bytes, status, code] of strange()) {
    const answer = await raw(origin, bytes);
    expect([answer.status, codeOf(answer)], JSON.stringify(bytes.slice(0, 60))).toEqual([status, code]);
  }
  expect((await ask(origin, { path: "/" })).status).toBe(200);
});

test("a body that ends before its length is refused", async () => {
  const wire = new Wire(
    origin,
    `POST /api/bench HTTP/1.1\r\nhost: ${new URL(origin).host}\r\norigin: ${origin}\r\n` +
      "content-type: application/json\r\ncontent-length: 100\r\n\r\n{",
  );
  wire.socket.once("connect", () => wire.socket.end());
  const answer = parsed(await wire.closed);
  expect([answer.status, codeOf(answer)]).toEqual([400, "ERR_HTTP"]);
});

test("an upgrade that is offered is not taken: the request is answered", async () => {
  const { host } = new URL(origin);
  const bytes = `GET / HTTP/1.1\r\nhost: ${host}\r\nconnection: upgrade, close\r\nupgrade: websocket\r\n\r\n`;
  expect((await raw(origin, bytes)).status).toBe(200);
});

test("a client that asks for a tunnel and goes at once harms nobody", async () => {
  const wires = Array.from({ length: 50 }, () => new Wire(origin, "CONNECT x:1 HTTP/1.1\r\n\r\n"));
  for (const { socket } of wires) socket.once("connect", () => socket.resetAndDestroy());
  await Promise.all(wires.map(({ closed }) => closed));
  expect((await ask(origin, { path: "/" })).status).toBe(200);
  expect(server.exitCode).toBeNull();
});
