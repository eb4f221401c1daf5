// Runs in a page. It counts bytes from its site with the page's own WebGPU.
import { openEngine } from "@polybin/core";
import { webgpu } from "@polybin/webgpu";

/** The result of a page. */
export interface PageFindings {
  readonly device: string;
  /** Milliseconds of the kernels, and of the whole calls. */
  readonly ms: readonly number[];
  readonly callMs: readonly number[];
  readonly counts: readonly number[];
}

/** Number of unmeasured rounds, and the minimum of measured ones. */
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
    const called = performance.now();
    await engine.histogram(resident, { algorithm: "per-lane" });
    const callMsOf = performance.now() - called;
    counts = [...found.counts];
    if (round < 0) continue;
    ms.push(found.timings!.kernelMs);
    callMs.push(callMsOf);
  }
  return { device: engine.device, ms, callMs, counts };
}

Object.assign(globalThis, { measure });
