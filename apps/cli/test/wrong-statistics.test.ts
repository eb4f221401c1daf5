import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEngine } from "@polybin/core";
import { parquetWriteBuffer } from "hyparquet-writer";
import { afterAll, expect, it } from "vitest";
import { polybin } from "./command.ts";

const folder = mkdtempSync(join(tmpdir(), "polybin-wrong-"));
afterAll(() => rmSync(folder, { recursive: true }));
const engine = await openEngine();
afterAll(() => engine.close());

const x = Float64Array.from({ length: 300 }, (_, i) => 1 + i / 2);
const y = Float64Array.from({ length: 300 }, (_, i) => Math.cos(i));

/** Writes a file whose statistics state another maximum of x. */
function fileStating(max: number): string {
  const columnData = [
    { name: "x", data: x, type: "DOUBLE" as const },
    { name: "y", data: y, type: "DOUBLE" as const },
  ];
  const file = Buffer.from(parquetWriteBuffer({ columnData, rowGroupSize: 100 }));
  const last = Buffer.alloc(8);
  last.writeDoubleLE(150.5);
  const footer = file.length - 8 - file.readUInt32LE(file.length - 8);
  const found = file.indexOf(last, footer);
  expect(found).toBeGreaterThan(footer);
  for (let at = found; at >= 0; at = file.indexOf(last, at + 8)) file.writeDoubleLE(max, at);
  const path = join(folder, `${max}.parquet`);
  writeFileSync(path, file);
  return path;
}

it.each([120, 150.5])("a file that states the maximum %d is counted over its values", async (max) => {
  const path = fileStating(max);
  const hist = JSON.parse((await polybin(["hist", path, "--column", "x", "--bins", "10", "--json"])).stdout);
  const wanted = await engine.histogram(x, { bins: 10 });
  expect(hist.channels[0]).toMatchObject({ counts: [...wanted.counts], underflow: 0, overflow: 0 });
  expect(hist.axis.edges).toEqual([...wanted.edges]);
  const columns = ["--columns", "y,x", "--bins", "3,4", "--json"];
  const joint = JSON.parse((await polybin(["joint", path, ...columns])).stdout);
  const two = await engine.joint([y, x], { axes: [{ bins: 3 }, { bins: 4 }] });
  expect([joint.counts.flat(), joint.flow]).toEqual([[...two.counts], 0]);
});
