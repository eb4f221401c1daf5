import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { cpu, openEngine } from "@polybin/core";
import { expect, it, vi } from "vitest";
import { axisOf, bytesOf, type Data, shapeOf, TYPES } from "../src/axes/cell.ts";
import { measureGroup } from "../src/axes/group.ts";
import type { Workshop } from "../src/axes/workshop.ts";
import { Tile } from "../src/data/tile.ts";
import { NoAnswer, PEERS, Peer } from "../src/peers/process.ts";
import { reportIn, rowOfPeer, scratch } from "./shared.ts";

const folder = scratch();
const N = 2 ** 14;

it.for(PEERS.map((kind) => [kind.name, kind] as const))(
  "%s counts what the oracle counts",
  { timeout: 120_000 },
  async ([name, kind], ctx) => {
    const absent = kind.absent(folder);
    if (absent !== null) return ctx.skip(absent);
    await using oracle = await openEngine({ backend: cpu() });
    let counted = 0;
    for (const type of TYPES) {
      const data: Data = { type, bins: 256, n: N, distribution: "gauss" };
      const file = join(folder, `${name}-${type}`);
      const job = { file, n: N, type, bins: 256, lo: 0, hi: shapeOf(type).top };
      if (kind.refuses(job) !== null) continue;
      const tile = Tile.of(shapeOf(type), "gauss", N);
      writeFileSync(file, tile.lay(new Uint8Array(bytesOf(data)), N));
      using peer = kind.start(job, folder);
      await peer.load();
      expect(await peer.run()).toBeGreaterThan(0);
      const [truth] = await tile.counts(oracle, N, { axis: axisOf(data) });
      expect(await peer.counts()).toEqual(Array.from(truth!.counts));
      counted += 1;
    }
    expect(counted).toBeGreaterThan(0);
  },
);

it("a peer that ends says its last words", async () => {
  const [loop] = PEERS;
  const peer = loop!.start(
    { file: join(folder, "none"), n: 8, type: "u8", bins: 256, lo: 0, hi: 256 },
    folder,
  );
  await expect(peer.load()).rejects.toThrow(/the peer js-loop ended/);
});

it("a peer that hangs is killed, and told", async () => {
  const hung = new Peer("sleeper", process.execPath, ["-e", "process.stdin.resume()"], 500);
  await expect(hung.load()).rejects.toThrow(new NoAnswer('the peer sleeper did not answer "load" in 0.5 s'));
  await expect(hung.run()).rejects.toThrow(NoAnswer);
});

it("one that hangs in its turn is out, and the others go on", async () => {
  await using engine = await openEngine({ backend: cpu() });
  const sides = [{ id: "cpu", pace: "host", threads: 1, engine }] as unknown as Workshop["sides"];
  const report = reportIn(folder);
  const limits = { rounds: 5, cellSeconds: 1, floats: 0, end: Infinity, silent: new Set<string>() };
  const shop: Workshop = { sides, benches: new Map(), oracle: engine, report, scratch: folder, ...limits };
  const data = { type: "u8", bins: 256, n: N, distribution: "uniform", residence: "resident" } as const;
  const cell = { ...data, sweep: "chosen", threads: 1 } as const;
  const ours = { ...cell, backend: "cpu", algorithm: "sequential", peer: null };
  const theirs = { ...cell, ...rowOfPeer("js-loop") };
  const [loop] = PEERS;
  const start = vi.spyOn(loop!, "start").mockImplementation((job) => {
    const program = join(folder, "sleeper.mjs");
    // It answers the gate's questions, and no more.
    writeFileSync(
      program,
      `import { readFileSync } from "node:fs";
      import { createInterface } from "node:readline";
      const counts = new Uint32Array(256);
      for (const byte of readFileSync(process.argv[2])) counts[byte]++;
      let asked = 0;
      for await (const line of createInterface({ input: process.stdin }))
        if (asked++ < 4) console.log(line === "counts" ? counts.join(" ") : 1);`,
    );
    return new Peer("js-loop", process.execPath, [program, job.file], 1000);
  });
  await measureGroup(shop, [theirs, ours]);
  expect(report.rows.map(({ peer, algorithm }) => peer ?? algorithm)).toEqual(["sequential"]);
  expect(report.missing).toEqual([
    expect.stringMatching(/^js-loop, 1 thread: .* did not answer "\w+" in 1 s$/),
  ]);
  await measureGroup(shop, [theirs]);
  expect(report.missing[1]).toMatch(/: it did not answer an earlier request$/);
  expect(start).toHaveBeenCalledTimes(1);
  start.mockRestore();
});
