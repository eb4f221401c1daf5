// Runs in a page: counts the bytes that its site serves with the page's own WebGPU.
import { openEngine } from "@polybin/core";
import { webgpu } from "@polybin/webgpu";

/** What a page found. */
export interface PageFindings {
  readonly device: string;
  /** Kernels' time, and the whole call's. */
  readonly ms: readonly number[];
  readonly callMs: readonly number[];
  readonly counts: readonly number[];
}

/** Rounds that are not measured, and those that even a slow device goes through. */
const WARM = 2;
const LEAST = 5;

async function measure(rounds: number, seconds: number): Promise<PageFindings> {
  const data = new Uint8Array(await (await fetch("/data")).arrayBuffer());
  await using engine = await openEngine({ backend: webgpu() });
  const resident = await engine.upload(data);
  const [ms, callMs]: [number[], number[]] = [[], []];
  let counts: number[] = [];
  const start = performance.now();
  for (let round = -WARM; round < rounds; round++) {
    if (round >= LEAST && performance.now() - start > seconds * 1000) break;
    const found = await engine.histogram(resident, { algorithm: "per-lane", timings: true });
    counts = [...found.counts];
    if (round < 0) continue;
    ms.push(found.timings!.kernelMs);
    callMs.push(found.timings!.totalMs);
  }
  return { device: engine.device, ms, callMs, counts };
}

Object.assign(globalThis, { measure });
