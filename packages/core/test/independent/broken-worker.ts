import * as polybin from "@polybin/core";
import type { Polybin } from "./perform.ts";
import { serve } from "./serve.ts";

/**
 * A worker whose engines are broken in two ways, which a campaign must find: counts of three or more columns are one
 * too high in their first cell, and segments that stay on the device never end.
 */
const own = polybin as unknown as Polybin;
type Engine = Awaited<ReturnType<Polybin["openEngine"]>>;

type Columns = [columns: readonly unknown[], ...unknown[]];

async function open(): Promise<Engine> {
  const engine = await own.openEngine();
  const joint = engine.joint.bind(engine) as (...all: Columns) => Promise<{ cells?: Float64Array }>;
  const segments = engine.segments.bind(engine) as (...all: unknown[]) => unknown;
  const broken = {
    joint: async (...all: Columns) => {
      const result = await joint(...all);
      if (all[0].length > 2 && result.cells instanceof Float64Array) result.cells[0]! += 1;
      return result;
    },
    segments: (...all: [never, never, { leave?: boolean }]) => {
      while (all[2].leave);
      return segments(...all);
    },
  };
  return Object.assign(engine, broken) as unknown as Engine;
}

serve(own, open);
