import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEngine } from "@polybin/core";
import { parquetWriteBuffer } from "hyparquet-writer";
import { afterAll, expect, it } from "vitest";
import { here, polybin } from "./command.ts";

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
    { name: "g", data: Array.from(y, (_, i) => `g${i % 2}`), type: "STRING" as const },
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

it("a shard with values outside of the range that the file states is refused", async () => {
  const path = fileStating(120);
  const out = (name: string) => join(folder, name);
  const hist = ["hist", path, "--column", "x", "--bins", "10"];
  const joint = ["joint", path, "--columns", "y,x", "--bins", "3,4"];
  for (const [args, name] of [
    [hist, "hist"],
    [[...hist, "--by", "g"], "by"],
    [joint, "joint"],
  ] as const) {
    const codes = [];
    for (let i = 0; i < 3; i++) {
      const part = out(`${name}-${i}.bin`);
      const { code, stderr } = await here([...args, "--shard", `${i}/3`, "--out", part]);
      codes.push(code);
      expect(existsSync(part)).toBe(code === 0);
      if (code === 0) continue;
      expect(stderr).toMatch(
        /^error\[ERR_INPUT\]: expected the values of x in the range that .*120\.parquet states/,
      );
      expect(stderr).toMatch(/give --range LO,HI, or find it first: .*--extent/);
    }
    // The values above 120 are in the last row group.
    expect([name, codes]).toEqual([name, [0, 0, 2]]);
    const parts = [0, 1].map((i) => out(`${name}-${i}.bin`));
    expect((await here(["merge", ...parts])).stderr).toMatch(/some are missing: 2/);
  }
  const extents = [];
  for (let i = 0; i < 2; i++) {
    extents.push(out(`extent-${i}.bin`));
    await here(["hist", path, "--column", "x", "--extent", "--shard", `${i}/2`, "--out", extents[i]!]);
  }
  await here(["merge", ...extents, "--out", out("extent.bin")]);
  for (let i = 0; i < 3; i++)
    await here([
      ...hist,
      "--extent-from",
      out("extent.bin"),
      "--shard",
      `${i}/3`,
      "--out",
      out(`right-${i}.bin`),
    ]);
  const parts = [0, 1, 2].map((i) => out(`right-${i}.bin`));
  const { channels } = JSON.parse((await here(["merge", ...parts, "--json"])).stdout);
  const wanted = await engine.histogram(x, { bins: 10 });
  expect(channels[0]).toMatchObject({ counts: [...wanted.counts], underflow: 0, overflow: 0 });
});
