import { appendFileSync, mkdtempSync, readdirSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { fileSamples, openEngine } from "../src/index.ts";
import { filePieces, STREAM_CHUNK } from "../src/input/index.ts";
import { rejectionOf } from "./helpers.ts";

const folder = mkdtempSync(join(tmpdir(), "polybin-file-pieces-"));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
/** Writes a file of some bytes, each the number of its piece, with one byte before them. */
function fileOf(bytes: number): string {
  const path = join(folder, `${files++}`);
  appendFileSync(path, Buffer.alloc(1, 255));
  for (let piece = 0; piece * STREAM_CHUNK < bytes; piece++) {
    appendFileSync(path, Buffer.alloc(Math.min(STREAM_CHUNK, bytes - piece * STREAM_CHUNK), piece));
  }
  return path;
}

const inputOf = (path: string, bytes: number, channels = 1) =>
  ({ kind: "file", file: fileSamples({ path, bytes, offset: 1, channels }) }) as const;

const openFiles = () => readdirSync("/proc/self/fd").length;

it("hold whole pixels, of every byte of the samples", async () => {
  const bytes = 3 * 6_000_001;
  const path = fileOf(bytes);
  for (const channels of [1, 3]) {
    const lengths: number[] = [];
    const sums = new Float64Array(4);
    for await (const piece of filePieces(inputOf(path, bytes, channels))) {
      lengths.push(piece.length);
      for (const byte of piece) sums[byte]!++;
    }
    const size = STREAM_CHUNK - (STREAM_CHUNK % channels);
    expect(lengths).toEqual([size, size, bytes - 2 * size]);
    expect([...sums]).toEqual([STREAM_CHUNK, STREAM_CHUNK, bytes - 2 * STREAM_CHUNK, 0]);
  }
});

it("stay valid until the second next one is requested", async () => {
  const bytes = 3 * STREAM_CHUNK;
  const pieces = filePieces(inputOf(fileOf(bytes), bytes));
  const [first, second] = [(await pieces.next()).value!, (await pieces.next()).value!];
  expect([first[0], first.at(-1), second[0], second.at(-1)]).toEqual([0, 0, 1, 1]);
  await pieces.next();
  expect((await pieces.next()).done).toBe(true);
});

it("of a file that is cut between two pieces end with an error, and the file is closed", async (context) => {
  if (process.platform !== "linux") return context.skip("open files are counted on Linux only");
  const bytes = 2 * STREAM_CHUNK;
  for (const left of [1 + STREAM_CHUNK, 9 + STREAM_CHUNK]) {
    const path = fileOf(bytes);
    const before = openFiles();
    const pieces = filePieces(inputOf(path, bytes));
    await pieces.next();
    truncateSync(path, left);
    const { code, message } = await rejectionOf(pieces.next());
    expect([code, message]).toEqual([
      "ERR_INPUT",
      `expected ${1 + bytes - left} more bytes at ${left} of ${path} but the file was cut while it was read`,
    ]);
    expect(openFiles()).toBe(before);
  }
});

it("of a file that is changed before the last one end with an error", async () => {
  const bytes = 2 * STREAM_CHUNK;
  const path = fileOf(bytes);
  const pieces = filePieces(inputOf(path, bytes));
  await pieces.next();
  truncateSync(path, 0);
  truncateSync(path, 1 + bytes);
  expect(await rejectionOf(pieces.next())).toMatchObject({
    code: "ERR_INPUT",
    message: expect.stringContaining("it was changed"),
  });
});

it("are read ahead: a count that fails, or is aborted, closes the file too", async (context) => {
  if (process.platform !== "linux") return context.skip("open files are counted on Linux only");
  await using engine = await openEngine();
  const bytes = 3 * STREAM_CHUNK;
  const path = fileOf(bytes);
  // Halves are read by the engine, whatever the device reads.
  const file = fileSamples({ path, bytes, offset: 1, type: "f16" });
  const before = openFiles();
  const abort = new AbortController();
  const counting = engine.histogram(file, { signal: abort.signal, onProgress: () => abort.abort("enough") });
  await expect(counting).rejects.toBe("enough");
  expect(openFiles()).toBe(before);
  const samples = await engine.histogram(file);
  expect(samples.sum({ flow: true })).toBe(bytes / 2);
  expect(openFiles()).toBe(before);
});

it("of no samples are none", async () => {
  const path = fileOf(0);
  expect((await filePieces(inputOf(path, 0)).next()).done).toBe(true);
});
