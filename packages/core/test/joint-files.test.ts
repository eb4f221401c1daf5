import { appendFileSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type FileInput, fileSamples, integer, openEngine, regular, type SampleType } from "../src/index.ts";
import { STREAM_CHUNK } from "../src/input/index.ts";
import { rejectionOf } from "./helpers.ts";

const folder = mkdtempSync(join(tmpdir(), "polybin-joint-files-"));
afterAll(() => rmSync(folder, { recursive: true }));
const engine = await openEngine();
/** More than a read and a piece, so that pieces of columns end at different samples. */
const n = 1_200_001;
const x = Float64Array.from({ length: n }, (_, i) => (i * 7919) % 1000);
const y = Uint8Array.from({ length: n }, (_, i) => (i * 31) % 7);
const axes = [regular(10, 0, 999), integer(0, 6)];

let files = 0;
function fileOf(
  array: ArrayBufferView,
  type: SampleType,
  more: { offset?: number; channels?: number } = {},
): FileInput {
  const path = join(folder, `${files++}`);
  const { offset = 0 } = more;
  const bytes = Buffer.from(array.buffer, array.byteOffset, array.byteLength);
  writeFileSync(path, Buffer.concat([Buffer.alloc(offset, 255), bytes, Buffer.alloc(3)]));
  return fileSamples({ path, bytes: array.byteLength, type, ...more });
}

describe("files as columns", () => {
  const [fileX, fileY] = [fileOf(x, "f64", { offset: 5 }), fileOf(y, "u8")];

  it("count as their samples do, with files, arrays and streams", async () => {
    const expected = await engine.joint([x, y], { axes });
    for (const columns of [
      [fileX, fileY],
      [x, fileY],
      [fileX, new Blob([y])],
      [{ input: fileX, channel: 0 }, y],
    ]) {
      const progress: number[] = [];
      const found = await engine.joint(columns, {
        axes,
        onProgress: ({ done, total }) => progress.push(done, total!),
      });
      expect(found.cells).toEqual(expected.cells);
      expect(found.types).toEqual(["f64", "u8"]);
      expect(progress.slice(-2)).toEqual([n, n]);
    }
  });

  it("may be the channels of one file", async () => {
    const pixels = Int16Array.from({ length: 3 * 5000 }, (_, i) => (i % 3) * 100 + ((i * 17) % 50));
    const file = fileOf(pixels, "i16", { channels: 3, offset: 1 });
    const all = [regular(5, 0, 50), regular(5, 100, 150), regular(5, 200, 250)];
    const whole = await engine.joint(file, { axes: all });
    const memory = await engine.joint({ data: pixels, channels: 3 }, { axes: all });
    expect(whole.cells).toEqual(memory.cells);
    const two = await engine.joint(file, { channels: [2, 0], axes: [all[2]!, all[0]!] });
    expect(two.cells).toEqual(memory.project(2, 0).cells);
    const given = [
      { input: file, channel: 2 },
      { input: file, channel: 0 },
    ];
    expect((await engine.joint(given, { axes: [all[2]!, all[0]!] })).cells).toEqual(two.cells);
  });

  it("may be of 64-bit integers, or empty", async () => {
    const wide = BigInt64Array.of(2n ** 53n + 1n, -1n, 5n);
    const of = [regular(4, -2, 2 ** 54), integer(0, 6)];
    const found = await engine.joint([fileOf(wide, "i64"), Uint8Array.of(1, 2, 3)], { axes: of });
    expect(found.cells).toEqual((await engine.joint([wide, Uint8Array.of(1, 2, 3)], { axes: of })).cells);
    const empty = fileOf(new Uint8Array(0), "u8");
    expect((await engine.joint([empty, empty], { axes: [integer(0, 2), integer(0, 2)] })).sum()).toBe(0);
  });

  it("decide their axes, as in memory", async () => {
    const options = { axes: [{ bins: 5 }, { bins: 3 }] };
    const found = await engine.joint([fileX, fileY], options);
    const memory = await engine.joint([x, y], options);
    expect(found.edges).toEqual(memory.edges);
    expect(found.cells).toEqual(memory.cells);
  });

  it("that cannot be counted are refused, and nothing is counted", async () => {
    const short = fileSamples({ path: fileY.path, bytes: n, offset: 9 });
    const other = fileOf(y.subarray(1), "u8");
    const missing = fileSamples({ path: join(folder, "none"), bytes: n });
    const wrong: readonly (readonly [FileInput, object, string, string])[] = [
      [missing, { axes }, "ERR_INPUT", "cannot read"],
      [fileSamples({ path: folder, bytes: n }), { axes }, "ERR_INPUT", "a regular file"],
      [short, { axes }, "ERR_INPUT", `expected ${n + 9} bytes`],
      [other, { axes }, "ERR_INPUT", "as column 0 has,"],
      [fileY, { axes, mask: y.subarray(1) }, "ERR_INPUT", "for mask.length"],
      [fileY, { axes, weights: x.subarray(1) }, "ERR_INPUT", "for weights.length"],
      [fileY, { axes, channels: [0] }, "ERR_INPUT", "either an array of columns or channels"],
    ];
    for (const [file, options, code, says] of wrong) {
      const error = await rejectionOf(engine.joint([fileX, file], options));
      expect([says, error.code, error.message]).toEqual([says, code, expect.stringContaining(says)]);
    }
    const channel = { input: fileY, chanel: 0 } as never;
    expect((await rejectionOf(engine.joint([fileX, channel], { axes }))).message).toContain("channel");
  });

  it("that change while they are read, and aborted calls, reject and leave no file open", async () => {
    const isLinux = process.platform === "linux";
    const openFiles = () => (isLinux ? readdirSync("/proc/self/fd").length : 0);
    // The second piece is read while the first is counted, the third only afterwards.
    const many = 3 * n;
    expect(many * 8).toBeGreaterThan(2 * STREAM_CHUNK);
    let changes = 0;
    const counted = (change: (path: string) => void) => {
      const file = fileOf(new Float64Array(many), "f64");
      const onProgress = ({ done }: { done: number }) => {
        if (done > n) return;
        changes++;
        change(file.path);
      };
      return engine.joint([file, new Uint8Array(many)], { axes, onProgress });
    };
    const before = openFiles();
    const cut = counted((path) => truncateSync(path, 9));
    expect(await rejectionOf(cut)).toMatchObject({
      code: "ERR_INPUT",
      message: expect.stringContaining("the file was cut while it was read"),
    });
    expect(openFiles()).toBe(before);
    const grown = await counted((path) => appendFileSync(path, "x"));
    expect(grown.sum({ flow: true })).toBe(many);
    expect(changes).toBe(2);
    const abort = new AbortController();
    const aborted = engine.joint([fileX, fileY], {
      axes,
      signal: abort.signal,
      onProgress: () => abort.abort(),
    });
    await expect(aborted).rejects.toThrow("aborted");
    // An aborted call does not wait for the file to close.
    await expect.poll(openFiles).toBe(before);
  });
});
