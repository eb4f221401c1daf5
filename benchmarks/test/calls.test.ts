import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Rows } from "../src/data/segment-rows.ts";
import { LOOP_WAYS, loopPeer, PEERS, type PeerJob } from "../src/peers/process.ts";
import { type Caller, callAgain, measureCalls } from "../src/runner/calls.ts";
import { footprint, growth } from "../src/runner/footprint.ts";
import { quantile } from "../src/runner/statistics.ts";
import { hostMain } from "../src/suites/host.ts";
import { errorsOf, read, reportIn, rowWith, scratch } from "./shared.ts";

const folder = scratch();
const PACE = { most: 8, seconds: 1, turns: 2 };

/** One whose calls take as long as the list says, over and over, and whose result is wrong from some call on. */
function caller(name: string, times: readonly number[], wrongFrom = Number.POSITIVE_INFINITY): Caller {
  let calls = 0;
  return {
    row: { ...rowWith({ n: 1000 }), algorithm: name, call: "count" },
    bytes: 1000,
    ceiling: 1,
    burst: async (most, seconds) => {
      const count = seconds === 0 ? 1 : most;
      return Array.from({ length: count }, () => times[calls++ % times.length]!);
    },
    wrong: async () => (calls > wrongFrom ? "bin 3 has 1, expected 2" : null),
  };
}

it("all take turns; a row has every call's time and the 99th percentile of them", async () => {
  const report = reportIn(folder);
  const rows = await measureCalls(report, [caller("a", [0.001]), caller("b", [0.002, 0.004])], PACE);
  expect(rows.map((row) => row!.ms.length)).toEqual([8, 8]);
  expect(rows[0]).toMatchObject({ call: "count", peer: null, exact: true, p99: 0.001, gbps: 1 });
  expect(rows[0]!.ceilingPercent).toBeCloseTo(100);
  expect(rows[1]!.p99).toBe(0.004);
  const intervals = [
    [0.001, 0.001],
    [0.002, 0.004],
  ];
  expect(report.rows).toEqual(rows.map((row, i) => ({ ...row, interval: intervals[i] })));
});

it("who counts wrong, before or after, has no row, and the others go on", async () => {
  const report = reportIn(folder);
  const before = process.exitCode;
  const all = [caller("wrong at once", [1], 0), caller("wrong later", [1], 3), caller("right", [1])];
  const rows = await measureCalls(report, all, PACE);
  process.exitCode = before;
  expect(rows.map((row) => row !== null)).toEqual([false, false, true]);
  expect(report.missing).toEqual([
    expect.stringMatching(/wrong at once: .*: NOT EXACT: bin 3 has 1, expected 2$/),
    expect.stringMatching(/wrong later: .*: NOT EXACT: in the last call: bin 3 has 1, expected 2$/),
  ]);
});

it("a burst ends with its calls or its time, and has a call at least; several share theirs", async () => {
  let calls = 0;
  expect(await callAgain(() => calls++, 5, 60)).toHaveLength(5);
  expect(await callAgain(() => calls++, 5, 0)).toHaveLength(1);
  expect(calls).toBe(6);
  const slow = () => new Promise((resolve) => setTimeout(resolve, 20));
  const [one] = await callAgain(slow, 1, 1, 4);
  expect(one).toBeGreaterThan(4);
  expect(one).toBeLessThan(20);
});

it("the 99th percentile is one of the values, and all but one of a hundred are at most it", () => {
  const values = Array.from({ length: 200 }, (_, i) => 200 - i);
  expect(quantile(values, 0.99)).toBe(198);
  expect(quantile([7], 0.99)).toBe(7);
});

const N = 4096;
const JOB: PeerJob = { file: join(folder, "none"), n: 0, type: "u8", bins: 256, lo: 0, hi: 256 };
const loops = Object.keys(LOOP_WAYS).map((way) => [`js-loop ${way}`, () => loopPeer(JOB, way)] as const);
const others = ["c", "numpy"].map((name) => {
  const kind = PEERS.find((one) => one.name === name)!;
  return [name, () => (kind.absent(folder) === null ? kind.start(JOB, folder) : null)] as const;
});

it.for([...loops, ...others])("%s counts other data when told to, call by call", async ([, start], ctx) => {
  const peer = start();
  if (peer === null) return ctx.skip("it is not here");
  const file = join(folder, "some data");
  const data = Uint8Array.from({ length: N }, (_, i) => (i * i) & 255);
  writeFileSync(file, data);
  const counts = new Array<number>(256).fill(0);
  for (const value of data.subarray(0, N / 2)) counts[value]!++;
  await peer.data(file, N / 2);
  const ms = await peer.calls(5, 10);
  expect(ms).toHaveLength(5);
  expect(ms.every((one) => one > 0)).toBe(true);
  expect(await peer.calls(5, 1e-9)).toHaveLength(1);
  await peer.run();
  expect(await peer.counts()).toEqual(counts);
});

it.for(["js-loop", "numpy"])("%s counts segments, and tells what is in one", async (name, ctx) => {
  const kind = PEERS.find((one) => one.name === name)!;
  if (kind.absent(folder) !== null) return ctx.skip("it is not here");
  using peer = kind.start(JOB, folder);
  const file = join(folder, "segments");
  const data = Uint8Array.from({ length: 1024 }, (_, i) => i >> 4);
  writeFileSync(file, data);
  await peer.data(file, 1024);
  expect(await peer.segments(64, 3, 10)).toHaveLength(3);
  const rows = Rows.of(data, 64, 1024);
  for (const at of [0, 7, 15]) expect(rows.differenceAt(at, await peer.row(at))).toBeNull();
  expect(rows.differenceAt(1, await peer.row(0))).toBe("segment 1, bin 0: expected 0 but received 16");
});

it("rows of segments that begin anew are known from their first ones", () => {
  const data = Uint8Array.from({ length: 64 }, (_, i) => i % 16);
  const [all, some] = [Rows.of(data, 8, 64), Rows.of(data, 8, 16)];
  const matrix = new Uint32Array(8 * 256);
  for (let i = 0; i < 64; i++) matrix[(i >> 3) * 256 + data[i]!]!++;
  expect([all.difference(matrix), some.difference(matrix)]).toEqual([null, null]);
  matrix[3 * 256 + 9]!++;
  for (const rows of [all, some])
    expect(rows.difference(matrix)).toBe("segment 3, bin 9: expected 1 but received 2");
  expect(all.difference(matrix.subarray(256))).toBe("expected 2048 counts but received 1792");
});

it("a leak is reported with the figures that grew", async () => {
  const before = await footprint();
  expect(before.heap).toBeGreaterThan(0);
  expect(growth(before, before)).toEqual([]);
  expect(growth(before, { ...before, external: before.external + 2 ** 30, files: before.files + 1 })).toEqual(
    [
      `external grew from ${before.external} to ${before.external + 2 ** 30}`,
      `files grew from ${before.files} to ${before.files + 1}`,
    ],
  );
  const kept = new Uint8Array(2 ** 26);
  const after = await footprint();
  expect(growth(before, after)).toContainEqual(expect.stringMatching(/^external grew from/));
  expect(kept.length).toBe(2 ** 26);
});

it("the CPU's suites run to their end, and write exact rows of the schema", { timeout: 60_000 }, async () => {
  await hostMain(["calls", "segments"], ["--quick", "--out", folder]);
  for (const [name, call] of [
    ["calls", "count"],
    ["segments", "segments"],
  ]) {
    const found = read(join(folder, `piscina-${name}.json`));
    expect(errorsOf(found)).toEqual([]);
    const { rows } = found;
    for (const who of ["cpu", "piscina", "js-loop"]) {
      expect(rows.some((row) => (row.backend ?? row.peer) === who && row.call === call && row.exact)).toBe(
        true,
      );
    }
    expect(rows.every(({ ms, p99 }) => p99 === quantile(ms, 0.99))).toBe(true);
  }
});
