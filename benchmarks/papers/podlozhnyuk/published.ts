import { PUBLISHED, type Published } from "../../src/suites/podlozhnyuk.ts";
import type { Measured } from "../measured.ts";

/** The published kernels of one method, as the suite measured them. */
export function publishedOf(measured: Measured, kernel: Published["kernel"]): readonly Published[] {
  const all = (measured.note("podlozhnyuk", PUBLISHED) ?? []) as readonly Published[];
  return all.filter((line) => line.kernel === kernel);
}

/** Throughput of whole histograms, merges included. */
export function throughputOf({ n, ms, mergeMs }: Published): number {
  return n / (ms + mergeMs) / 1e6;
}

/** Extra trips to shared memory per access: 0 without bank conflicts, 3 if four threads always share a bank. */
export function conflictsOf({ terms }: Published): number | null {
  const [waves, ...accesses] = ["Shared memory wavefronts", "Shared loads", "Shared stores"].map(
    (term) => terms?.[term]?.value,
  );
  const [loads, stores] = accesses;
  return waves == null || loads == null || stores == null ? null : waves / (loads + stores) - 1;
}
