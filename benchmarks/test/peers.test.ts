import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cpu, openEngine } from "@polybin/core";
import { afterAll, expect, it } from "vitest";
import { axisOf, bytesOf, type Data, shapeOf, TYPES } from "../src/axes/cell.ts";
import { Tile } from "../src/gpu/tile.ts";
import { PEERS } from "../src/peer.ts";

const scratch = mkdtempSync(join(tmpdir(), "polybin-peers-"));
afterAll(() => rmSync(scratch, { recursive: true }));
const N = 2 ** 14;

it.for(PEERS.map((kind) => [kind.name, kind] as const))(
  "%s counts what the oracle counts",
  { timeout: 120_000 },
  async ([name, kind], ctx) => {
    const absent = kind.absent(scratch);
    if (absent !== null) return ctx.skip(absent);
    await using oracle = await openEngine({ backend: cpu() });
    for (const type of TYPES) {
      const data: Data = { type, bins: 256, n: N, distribution: "gauss" };
      const file = join(scratch, `${name}-${type}`);
      const job = { file, n: N, type, bins: 256, lo: 0, hi: shapeOf(type).top };
      if (kind.refuses(job) !== null) continue;
      const tile = Tile.of(shapeOf(type), "gauss", N);
      writeFileSync(file, tile.lay(new Uint8Array(bytesOf(data)), N));
      const peer = kind.start(job, scratch);
      await peer.load();
      expect(await peer.run()).toBeGreaterThan(0);
      const [truth] = await tile.counts(oracle, N, { axis: axisOf(data) });
      expect(await peer.counts()).toEqual(Array.from(truth!.counts));
      peer.close();
    }
  },
);

it("a peer that ends says its last words", async () => {
  const [loop] = PEERS;
  const peer = loop!.start(
    { file: join(scratch, "none"), n: 8, type: "u8", bins: 256, lo: 0, hi: 256 },
    scratch,
  );
  await expect(peer.load()).rejects.toThrow(/the peer js-loop ended/);
});
