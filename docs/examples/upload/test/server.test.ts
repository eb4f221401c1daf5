// The endpoint over real connections: what it answers, what it refuses, and that nothing it refuses keeps its place.
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { crc32, deflateSync, gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openCounter } from "../histogram.js";
import { loop } from "../replaced.js";
import { ACCEPTED, createServer, LIMITS } from "../server.js";

const SAMPLE = new URL("../../../../apps/cli/sample/evening.png", import.meta.url);
const limits = {
  ...LIMITS,
  maxBytes: 2 ** 20,
  maxPixels: 640 * 480,
  maxRows: 1000,
  uploads: 3,
  receiveMs: 600,
};

let png: Buffer;
let counter: Awaited<ReturnType<typeof openCounter>>;
let app: ReturnType<typeof createServer>;
let url: string;
beforeAll(async () => {
  png = await readFile(SAMPLE);
  counter = await openCounter({ ...limits, threads: 2 });
  app = createServer(counter.count, limits);
  url = await app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await app?.close();
  await counter?.close();
});
// Whatever a test did, the server has all of its places again, and still counts.
afterEach(async () => {
  await until(async () => (await loadOf(url)).uploads === 0);
  expect(await loadOf(url)).toEqual({ uploads: 0, waiting: 0, counting: 0 });
});

const loadOf = async (at: string) => (await fetch(`${at}/load`)).json();

async function until(done: () => Promise<boolean>): Promise<void> {
  for (let i = 0; !(await done()); i++) {
    if (i === 500) throw new Error("expected a state that did not come within 5 seconds");
    await wait(10);
  }
}

type Body = Buffer | string | FormData | ReadableStream;

async function post(body: Body, { query = "", type = "", at = url } = {}) {
  const headers = type === "" ? {} : { "content-type": type };
  const response = await fetch(`${at}/histogram${query}`, {
    method: "POST",
    body: body as BodyInit,
    headers,
    ...(body instanceof ReadableStream && { duplex: "half" }),
  } as RequestInit);
  return { status: response.status, headers: response.headers, ...(await response.json()) };
}

function form(bytes: Buffer | string, type = "application/octet-stream"): FormData {
  const data = new FormData();
  data.append("file", new Blob([bytes as Buffer<ArrayBuffer>], { type }), "upload");
  return data;
}

/** A connection that has sent this much and waits. */
async function half(text: string, on = app): Promise<Socket> {
  const socket = connect((on.server.address() as AddressInfo).port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(text);
  return socket;
}
const HEAD = "POST /histogram HTTP/1.1\r\nhost: x\r\ncontent-type: image/png\r\ncontent-length: 1000\r\n";

async function answerOn(socket: Socket): Promise<string> {
  let text = "";
  socket.setEncoding("latin1").on("data", (part) => {
    text += part;
  });
  await once(socket, "close");
  return text;
}

/** A grey PNG of one bit per pixel, all black: a few bytes for any number of pixels. Its header may state others. */
function blackPng(width: number, height: number, held = height): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const rows = deflateSync(Buffer.alloc(held * (1 + Math.ceil(width / 8))));
  const chunk = (name: string, data: Buffer): Buffer => {
    const named = Buffer.concat([Buffer.from(name), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(named), 4);
    return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
  };
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", rows),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** An NPY file of bytes that states a shape and holds `held` of its rows. */
function npy(rows: number, held: number): Buffer {
  const text = `${`{'descr': '|u1', 'fortran_order': False, 'shape': (${rows},), }`.padEnd(117)}\n`;
  const head = Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, text.length, 0]);
  return Buffer.concat([head, Buffer.from(text), Buffer.alloc(held, 7)]);
}

test("a picture, as a body and as a form, is counted as a loop over sharp's pixels counts it", async () => {
  const right = await loop(png);
  for (const body of [png, form(png, "image/png")]) {
    const { status, kind, width, height, channels } = await post(body);
    expect({ status, kind, width, height }).toEqual({
      status: 200,
      kind: "picture",
      width: 640,
      height: 480,
    });
    expect(channels.map(({ name }) => name)).toEqual(["r", "g", "b"]);
    expect(channels.map(({ counts }) => counts)).toEqual(right.channels.map(({ counts }) => counts));
  }
});

test("a column is counted without its nulls", async () => {
  const csv = "city,price,id\nRome,2.5,9007199254740993\nOslo,,9007199254740995\nRome,4,9007199254740999\n";
  const counts = { kind: "column", rows: 3, counts: [1, 1] };
  for (const options of [{ type: "text/csv" }, {}]) {
    const body = options.type ? csv : form(csv, "text/csv");
    expect(await post(body, { query: "?bins=2", ...options })).toMatchObject({
      ...counts,
      name: "price",
      nulls: 1,
      edges: [2.5, 3.25, 4],
    });
  }
  const ids = await post(csv, { query: "?bins=1&column=id", type: "text/csv" });
  expect(ids).toMatchObject({ type: "i64", counts: [3], underflow: 0, overflow: 0 });
  expect(await post(npy(1000, 1000), { query: "?bins=1" })).toMatchObject({ type: "u8", counts: [1000] });
});

test("a malformed form is refused", async () => {
  const type = "multipart/form-data";
  const cut = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\nabc';
  for (const [header, body] of [
    [type, "abc"],
    [`${type}; boundary=x`, "abc"],
    [`${type}; boundary=x`, cut],
  ] as const) {
    const answer = await post(body, { type: header });
    expect(answer.status, `${header}: ${body}`).toBe(400);
    expect(answer.message).toContain("expected a form with a file but it is malformed");
  }
});

const REFUSED: readonly [string, () => Body, number, string, string?][] = [
  ["an empty body", () => "", 422, "ERR_HTTP"],
  ["a text of no format", () => "hello", 415, "ERR_UNSUPPORTED"],
  ["a packed table", () => gzipSync("a,b\n1,2\n"), 415, "ERR_UNSUPPORTED"],
  ["a picture that is cut", () => png.subarray(0, 50_000), 422, "ERR_INPUT"],
  ["a picture that states too many pixels", () => blackPng(4000, 4000), 413, "ERR_LIMIT"],
  [
    "a picture without pixels that states 10 gigapixels",
    () => blackPng(100_000, 100_000, 0),
    413,
    "ERR_LIMIT",
  ],
  ["an array that states too many rows", () => npy(1001, 1001), 413, "ERR_LIMIT"],
  ["an array without its rows", () => npy(1000, 10), 422, "ERR_INPUT"],
  ["a table of too many rows", () => form(`a\n${"1\n".repeat(1001)}`, "text/csv"), 413, "ERR_LIMIT"],
  ["a table without numbers", () => form("a\nx\n", "text/csv"), 422, "ERR_INPUT"],
  ["a body that is too large", () => Buffer.alloc(2 ** 20 + 1), 413, "FST_ERR_CTP_BODY_TOO_LARGE"],
  [
    "a stream that is too large",
    () => new Blob([Buffer.alloc(2 ** 20 + 1)]).stream(),
    413,
    "FST_ERR_CTP_BODY_TOO_LARGE",
  ],
  ["a file that is too large", () => form(Buffer.alloc(2 ** 20 + 1)), 413, "FST_REQ_FILE_TOO_LARGE"],
  ["a form without a file", () => new FormData(), 422, "ERR_HTTP"],
  ["an unknown option", () => "x", 400, "FST_ERR_VALIDATION", "?bin=3"],
  ["too many bins", () => "x", 400, "FST_ERR_VALIDATION", "?bins=65537"],
  ["an unknown column", () => npy(5, 5), 422, "ERR_INPUT", "?column=b"],
];
test.for(REFUSED)("%s is refused", async ([, body, status, error, query = ""]) => {
  expect(await post(body(), { query })).toMatchObject({ status, error, message: expect.any(String) });
});

test("a refused type gets the types that the server takes", async () => {
  const { headers, message, accepted } = await post("hello");
  expect(headers.get("accept")).toBe(ACCEPTED.join(", "));
  expect(accepted).toEqual(ACCEPTED);
  expect(message).toMatch(/^expected a table .* neither its first bytes nor its name show one$/);
});

test("a giant among HTTP headers is refused", async () => {
  const socket = await half(`${HEAD}x: ${"x".repeat(20_000)}\r\n\r\n`);
  expect(await answerOn(socket)).toMatch(/^HTTP\/1.1 431 /);
});

test("a server whose places are taken answers 503, and loses those that send too slowly", async () => {
  const slow = await Promise.all([
    half(`${HEAD}\r\n`),
    half(`${HEAD}\r\nabc`),
    half(`${HEAD}\r\n`),
    half(HEAD),
  ]);
  const answers = slow.map(answerOn);
  await until(async () => (await loadOf(url)).uploads === 3);
  const busy = await post(png);
  expect(busy).toMatchObject({ status: 503, message: "3 uploads are being served; try again in a moment" });
  expect(busy.headers.get("retry-after")).toBe("1");
  for (const answer of answers) expect(await answer).toMatch(/^HTTP\/1.1 408 /);
  expect((await post(png)).status).toBe(200);
});

test("an upload whose client is gone is not counted, and gives its place back", async () => {
  const counted: number[] = [];
  const release = Promise.withResolvers<void>();
  const count = async (bytes: Buffer) => {
    counted.push(bytes.length);
    await release.promise;
    return { done: true };
  };
  const held = createServer(count, { ...limits, counting: 1 });
  try {
    const at = await held.listen({ host: "127.0.0.1", port: 0 });
    const first = post("1", { at });
    await until(async () => (await loadOf(at)).counting === 1);
    const leaving = new AbortController();
    const second = fetch(`${at}/histogram`, { method: "POST", body: "22", signal: leaving.signal });
    const third = post("333", { at });
    await until(async () => (await loadOf(at)).waiting === 2);
    leaving.abort();
    await expect(second).rejects.toThrow();
    await until(async () => (await loadOf(at)).waiting === 1);
    expect(await loadOf(at)).toEqual({ uploads: 2, waiting: 1, counting: 1 });
    release.resolve();
    expect([(await first).status, (await third).status]).toEqual([200, 200]);
    expect(counted).toEqual([1, 3]);
  } finally {
    release.resolve();
    await held.close();
  }
});

test("an upload is dropped when its client goes in the middle of it", async () => {
  // Only the end of the connection can give the place back: the time in which an upload must arrive is a minute.
  const patient = createServer(counter.count, { ...limits, receiveMs: 60_000 });
  try {
    const at = await patient.listen({ host: "127.0.0.1", port: 0 });
    const socket = await half(`${HEAD}\r\nabc`, patient);
    await until(async () => (await loadOf(at)).uploads === 1);
    socket.destroy();
    await until(async () => (await loadOf(at)).uploads === 0);
  } finally {
    await patient.close();
  }
});
