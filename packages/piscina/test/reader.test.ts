import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { WORKER_CHUNK_BYTES } from "../src/platform/limits.ts";
import type { Wasm } from "../src/platform/wasm.ts";
import { newControl, type Task } from "../src/task/task.ts";
import { eachChunk } from "../src/worker/reader.ts";

it("names the file that ends while it is read", () => {
  const folder = mkdtempSync(join(tmpdir(), "polybin-reader-"));
  const path = join(folder, "cut");
  writeFileSync(path, new Uint8Array(10));
  const fd = openSync(path, "r");
  onTestFinished(() => {
    closeSync(fd);
    rmSync(folder, { recursive: true });
  });
  const geometry = { width: 100, height: 1, rowPitch: 100, pixelBytes: 1 };
  const task = {
    source: { kind: "file", path, fd, offset: 2, geometry },
    chunks: { from: 0, to: 1 },
    control: newControl(),
  } as unknown as Task;
  const pages = Math.ceil(WORKER_CHUNK_BYTES / 65_536);
  const wasm = { memory: new WebAssembly.Memory({ initial: pages }), chunk: 0 } as unknown as Wasm;
  const read = () => eachChunk(task, wasm, () => expect.unreachable());
  expect(read).toThrow(
    `expected 92 more bytes at 10 of ${path} but the file ended: it was cut while it was read`,
  );
});
