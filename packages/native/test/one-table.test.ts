// Many cells of two columns are counted in one table a thread. Equal neighbours, odd lengths and the integers outside of an
// axis have paths of their own there.
import { cpu, type Engine, integer, openEngine, regular } from "@polybin/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { native } from "../src/index.ts";

let engines: Engine[] = [];
beforeAll(async () => {
  if (!(await native().probe()).available) return;
  const backends = [cpu(), native({ threads: 1 }), native({ threads: 2 })];
  engines = await Promise.all(backends.map((backend) => openEngine({ backend })));
});
afterAll(() => Promise.all(engines.map((engine) => engine.close())));

const LENGTHS = [0, 1, 2, 3, 127, 128, 129, 4097, 300_001];
const TYPES = { Uint16Array, Int16Array, Uint32Array, Int32Array } as const;
/** Places of a column: some below and above the axis, all equal, pairs of equals, and two that alternate. */
const PATTERNS: Readonly<Record<string, (i: number) => number>> = {
  spread: (i) => (i * 7919) % 420,
  equal: () => 77,
  pairs: (i) => (i >> 1) % 400,
  alternating: (i) => 100 + (i & 1),
};

test.for(Object.entries(TYPES))("cells of %s and doubles", { timeout: 60_000 }, async ([, Type], ctx) => {
  if (engines.length === 0) return ctx.skip("the addon is not built for this platform");
  const start = Type === Int16Array || Type === Int32Array ? -50 : 50;
  const axes = [integer(start, start + 300), regular(200, -1, 1)];
  for (const [name, place] of Object.entries(PATTERNS)) {
    for (const n of LENGTHS) {
      const codes = new Type(Array.from({ length: n }, (_, i) => start - 50 + place(i)));
      const values = Float64Array.from({ length: n }, (_, i) =>
        i % 97 === 5 ? Number.NaN : name === "equal" ? 0.5 : ((i * 613) % 260) / 100 - 1.3,
      );
      // Not at the beginning of a line of a cache.
      const moved = new Float64Array(n + 1).subarray(1);
      moved.set(values);
      const found = await Promise.all(
        engines.map((engine) => engine.joint([codes, moved], { axes: [...axes] })),
      );
      const [oracle, ...others] = found.map(({ cells }) => cells);
      for (const cells of others)
        expect(Buffer.compare(Buffer.from(cells.buffer), Buffer.from(oracle!.buffer)), `${name}, ${n}`).toBe(
          0,
        );
    }
  }
});
