import type { CountJob } from "@polybin/core/backend";
import { kernelOf } from "../kernels/index.ts";
import { inShared } from "../platform/index.ts";
import type { CountWork } from "../task/index.ts";

/** The work of counting a job's samples with separate tables. */
export type OwnWork = CountWork & { readonly tables: null };

type Setup = NonNullable<CountWork["setup"]>;

/** Returns the work of a job on this thread. Setups that depend on the lowering only are computed once. */
export function workHere({ plan, lowering }: CountJob): OwnWork {
  const { fused } = kernelOf(plan);
  const isFused = fused !== undefined && !plan.raw;
  return {
    kind: "count",
    plan,
    lowering: isFused || plan.raw ? null : lowering,
    setup: isFused ? numbered(fused.setup(lowering)) : null,
    tables: null,
  };
}

/** Returns the same work for workers. Its arrays are in shared memory, so that no message copies them. */
export function workThere({ setup, ...work }: OwnWork): OwnWork {
  return { ...work, setup: setup && inSharedMemory(setup) };
}

let last = 0;
const numbers = new WeakMap<object, Setup>();
const shared = new WeakMap<object, Setup>();

/** Numbers a setup, so that workers recognise it. */
function numbered(of: object): Setup {
  const known = numbers.get(of) ?? { id: ++last, of };
  numbers.set(of, known);
  return known;
}

function inSharedMemory({ id, of }: Setup): Setup {
  let known = shared.get(of);
  if (known === undefined) {
    const parts = Object.entries(of).map(([name, value]) => [
      name,
      ArrayBuffer.isView(value) ? inShared(value as Uint32Array) : value,
    ]);
    known = { id, of: Object.fromEntries(parts) };
    shared.set(of, known);
  }
  return known;
}
