import { openEngine } from "@polybin/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Dashboard } from "../../server/server.ts";
import { servePage, serveStrictly } from "./backends.ts";
import { ask, parsed, Wire } from "./http.ts";

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await servePage();
});
afterAll(() => dashboard[Symbol.asyncDispose]());

type Event = { readonly event: string } & Readonly<Record<string, unknown>>;

/** Every line of an answer. */
const linesOf = (text: string): Event[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Event);

/** The beginning of a request that sends a picture of so many bytes. */
const pictureHead = (origin: string, bytes: number): string =>
  `POST /api/histogram?width=${bytes / 4}&height=1&backends=cpu HTTP/1.1\r\nhost: ${new URL(origin).host}\r\n` +
  `origin: ${origin}\r\ncontent-type: application/octet-stream\r\ncontent-length: ${bytes}\r\n\r\n`;

const get = (path: string) => ask(dashboard.origin, { path });
const post = (path: string, type: string, body: string | Uint8Array<ArrayBuffer>, signal?: AbortSignal) =>
  fetch(`${dashboard.origin}${path}`, {
    method: "POST",
    headers: { "content-type": type, origin: dashboard.origin },
    body,
    ...(signal === undefined ? {} : { signal }),
  });
const bench = (body: object, signal?: AbortSignal) =>
  post("/api/bench", "application/json", JSON.stringify(body), signal);
const cell = { backend: "cpu", algorithm: "auto", distribution: "uniform", power: 16, rounds: 3 };

interface Status {
  readonly backends: readonly { readonly id: string; readonly available: boolean }[];
  readonly busy: boolean;
  readonly waiting: number;
}
const status = async (): Promise<Status> => JSON.parse((await get("/api/status")).text);
/** A benchmark beside it leaves the server little time on a busy machine. */
const eventually = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 30_000 });
const idle = () => eventually(async () => (await status()).busy).toBe(false);

test("the page says that a server is there, and may load nothing from elsewhere", async () => {
  const { status: code, headers, text } = await get("/");
  expect(code).toBe(200);
  expect(text).toContain('data-server="here"');
  expect(headers["content-security-policy"]).toMatch(
    /^default-src 'none'; script-src 'self' 'wasm-unsafe-eval';/,
  );
  expect(headers["content-security-policy"]).not.toContain("'unsafe-");
  const index = JSON.parse((await get("/data/index.json")).text) as { files: { path: string }[] };
  expect((await get(`/data/${index.files[0]!.path}.json`)).status).toBe(200);
  expect((await ask(dashboard.origin, { method: "HEAD", path: "/" })).text).toBe("");
});

test("it listens on the loopback interface alone, and tells its backends", async () => {
  expect(new URL(dashboard.origin).hostname).toBe("127.0.0.1");
  const { backends, busy, waiting } = await status();
  expect(backends.map(({ id }) => id)).toEqual(["cpu", "piscina", "webgpu", "cuda"]);
  expect({ busy, waiting }).toEqual({ busy: false, waiting: 0 });
});

test("a picture's counts are those of core's CPU, on every backend that works", async () => {
  const pixels = Uint8Array.from({ length: 640 * 3 * 4 }, (_, i) => (i * i * 31) >>> 7);
  const { backends } = await status();
  const ids = backends.map(({ id }) => id).join(",");
  const answer = await post(
    `/api/histogram?width=640&height=3&backends=${ids}`,
    "application/octet-stream",
    pixels,
  );
  const events = linesOf(await answer.text());
  await using engine = await openEngine();
  const exact = (await engine.histograms({ data: pixels, channels: 4 })).map(({ counts }) => [...counts]);
  const results = events.filter(({ event }) => event === "result");
  expect(results.map(({ backend }) => backend)).toEqual(
    backends.filter(({ available }) => available).map(({ id }) => id),
  );
  for (const { counts } of results) expect(counts).toEqual(exact);
  const absent = events.filter(({ event }) => event === "absent");
  expect(results.length + absent.length).toBe(backends.length);
  expect(events.at(-1)).toEqual({ event: "done" });
});

test("a benchmark tells every round, and each was exact", async () => {
  const events = linesOf(await (await bench(cell)).text());
  const rounds = events.filter(({ event }) => event === "round");
  expect(rounds.map(({ warm }) => warm)).toEqual([false, false, true, true, true]);
  for (const { ms, gbps } of rounds) expect(gbps).toBeCloseTo(2 ** 16 / (ms as number) / 1e6, 10);
  expect(events.at(-1)).toEqual({ event: "done" });
});

test("what the library refuses is the last line, with its code", async () => {
  for (const algorithm of ["no-such", "per-thread-64"]) {
    const answer = await bench({ ...cell, algorithm });
    expect(answer.status).toBe(200);
    const events = linesOf(await answer.text());
    expect(events.at(-1)).toMatchObject({ event: "error", code: "ERR_UNSUPPORTED" });
  }
});

test("one job works at a time; the next is told that it waits, and gets its turn", async () => {
  const long = new AbortController();
  const first = await bench({ ...cell, power: 24, rounds: 200 }, long.signal);
  const reader = first.body!.getReader();
  await reader.read();
  const second = await bench(cell);
  const secondReader = second.body!.getReader();
  const line = new TextDecoder().decode((await secondReader.read()).value);
  expect(linesOf(line)[0]).toEqual({ event: "queued", before: 1 });
  expect(await status()).toMatchObject({ busy: true, waiting: 1 });
  // The first one's client goes: its work ends, and the second's begins.
  long.abort();
  let rest = "";
  for (let part = await secondReader.read(); !part.done; part = await secondReader.read()) {
    rest += new TextDecoder().decode(part.value);
  }
  expect(rest).toContain('"event":"done"');
  await idle();
});

test("a job that waits leaves the queue with its client; too many are refused", async () => {
  const all = new AbortController();
  const first = await bench({ ...cell, power: 26, rounds: 200 }, all.signal);
  await first.body!.getReader().read();
  const leaving = new AbortController();
  const waiting = await Promise.all(Array.from({ length: 16 }, () => bench(cell, leaving.signal)));
  await eventually(async () => (await status()).waiting).toBe(16);
  const refused = await bench(cell);
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ error: { code: "ERR_BUSY" } });
  // A picture is refused before it has come.
  const picture = parsed(await new Wire(dashboard.origin, pictureHead(dashboard.origin, 400)).closed);
  expect(picture.status).toBe(429);
  expect(JSON.parse(picture.text)).toMatchObject({ error: { code: "ERR_BUSY" } });
  leaving.abort();
  await eventually(async () => (await status()).waiting).toBe(0);
  expect(waiting).toHaveLength(16);
  all.abort();
  await idle();
});

test("pictures that wait leave the queue with their clients", async () => {
  const long = new AbortController();
  const first = await bench({ ...cell, power: 26, rounds: 200 }, long.signal);
  await first.body!.getReader().read();
  const bytes = 2 ** 22;
  const picture = Buffer.concat([Buffer.from(pictureHead(dashboard.origin, bytes)), new Uint8Array(bytes)]);
  const wires = Array.from({ length: 3 }, () => new Wire(dashboard.origin, picture));
  await eventually(async () => (await status()).waiting).toBe(3);
  for (const { socket } of wires) socket.destroy();
  await eventually(async () => (await status()).waiting).toBe(0);
  expect((await status()).busy).toBe(true);
  long.abort();
  await idle();
});

test("pictures hold no more memory than they may, and give it back when their sender goes in the middle", async () => {
  await using small = await serveStrictly({ heldBytes: 100_000 });
  const half = (bytes: number) => new Wire(small.origin, `${pictureHead(small.origin, bytes)}abc`);
  const whole = async () => {
    const answer = await fetch(`${small.origin}/api/histogram?width=10000&height=1&backends=cpu`, {
      method: "POST",
      headers: { origin: small.origin, "content-type": "application/octet-stream" },
      body: new Uint8Array(40_000),
    });
    return { status: answer.status, text: await answer.text() };
  };
  const wires = [half(40_000), half(40_000)];
  // Whether it is refused tells when the two have come.
  await eventually(whole).toMatchObject({ status: 429, text: expect.stringContaining("ERR_BUSY") });
  wires[0]!.socket.destroy();
  await eventually(whole).toMatchObject({ status: 200, text: expect.stringContaining('"done"') });
  wires[1]!.socket.destroy();
});

test("a body that stops is answered before its connection ends", async () => {
  await using strict = await serveStrictly({ silenceMs: 50 });
  const json =
    `POST /api/bench HTTP/1.1\r\nhost: ${new URL(strict.origin).host}\r\norigin: ${strict.origin}\r\n` +
    "content-type: application/json\r\ncontent-length: 100\r\n\r\n{";
  for (const begun of [`${pictureHead(strict.origin, 400)}abc`, json]) {
    const { status, text } = parsed(await new Wire(strict.origin, begun).closed);
    expect(status).toBe(408);
    expect(JSON.parse(text)).toMatchObject({ error: { code: "ERR_TIMEOUT" } });
  }
});

test("a body that drips has an end, too", async () => {
  await using strict = await serveStrictly({ bodyMs: 200 });
  const wire = new Wire(strict.origin, pictureHead(strict.origin, 2 ** 20));
  const drip = setInterval(() => wire.socket.writable && wire.socket.write("x"), 5);
  const { status, text } = parsed(await wire.closed);
  clearInterval(drip);
  expect(status).toBe(408);
  expect(JSON.parse(text)).toMatchObject({ error: { code: "ERR_TIMEOUT" } });
});

test("headers that do not come are answered", async () => {
  await using strict = await serveStrictly({ headersMs: 50 });
  const { status, text } = parsed(await new Wire(strict.origin, "GET / HTTP/1.1\r\n").closed);
  expect(status).toBe(408);
  expect(JSON.parse(text)).toMatchObject({ error: { code: "ERR_TIMEOUT" } });
});

const benchOf = (body: object, length = JSON.stringify(body).length): string =>
  `POST /api/bench HTTP/1.1\r\nhost: ${new URL(dashboard.origin).host}\r\norigin: ${dashboard.origin}\r\n` +
  `content-type: application/json\r\ncontent-length: ${length}\r\n\r\n${JSON.stringify(body)}`;
const long = { ...cell, power: 26, rounds: 200 };

test("what is no HTTP after a request is refused after its answer, never in its middle", async () => {
  const { host } = new URL(dashboard.origin);
  const [, second] = (
    await new Wire(dashboard.origin, `GET /nothing HTTP/1.1\r\nhost: ${host}\r\n\r\nBREW / HTTP/1.1\r\n\r\n`)
      .closed
  ).split(/(?=HTTP\/1\.1 400)/);
  expect(JSON.parse(parsed(second!).text)).toMatchObject({ error: { code: "ERR_HTTP" } });
  const wire = new Wire(dashboard.origin, benchOf(long));
  await new Promise((resolve) => wire.socket.once("data", resolve));
  wire.socket.write("BREW / HTTP/1.1\r\n\r\n");
  const text = await wire.closed;
  expect(text).toMatch(/^HTTP\/1\.1 200 /);
  expect(text).not.toContain("HTTP/1.1 400");
  await idle();
});

test("what is no HTTP behind a picture is refused after the picture's answer, and once", async () => {
  const picture = [Buffer.from(pictureHead(dashboard.origin, 400)), new Uint8Array(400)];
  const wire = new Wire(
    dashboard.origin,
    Buffer.concat([...picture, Buffer.from("BREW / HTTP/1.1\r\n\r\n")]),
  );
  wire.socket.once("connect", () => wire.socket.write("\0".repeat(1000)));
  const [first, second, ...more] = (await wire.closed).split(/(?=HTTP\/1\.1 )/);
  expect(parsed(first!).status).toBe(200);
  expect(first).toContain('"event":"done"');
  expect(JSON.parse(parsed(second!).text)).toMatchObject({ error: { code: "ERR_HTTP" } });
  expect(more).toEqual([]);
});

test("a client that waits and goes is noticed behind a body that was refused", async () => {
  const worker = new Wire(dashboard.origin, benchOf(long));
  await new Promise((resolve) => worker.socket.once("data", resolve));
  const waiter = new Wire(dashboard.origin, benchOf(cell) + benchOf({}, 2 ** 24) + " ".repeat(2 ** 23));
  await eventually(async () => (await status()).waiting).toBe(1);
  waiter.socket.destroy();
  await eventually(async () => (await status()).waiting).toBe(0);
  expect((await status()).busy).toBe(true);
  worker.socket.destroy();
  await idle();
});

test("a port that is taken is said to be", async () => {
  const { port } = new URL(dashboard.origin);
  await expect(servePage(Number(port))).rejects.toThrow("it is taken");
});
