import { borderCases } from "./borders.ts";
import { callCases } from "./calls.ts";
import type { Setting } from "./case.ts";
import { lossCase } from "./loss.ts";
import { memoryCases } from "./memory.ts";

export interface Provoked {
  readonly name: string;
  readonly passed: boolean;
  /** The reason of the failure, or an empty string if the case passed. */
  readonly reason: string;
}

/**
 * Provokes rare situations on a real device and checks the conditions that must hold. It takes minutes, all memory of
 * the device, and 7 GiB of address space. Afterwards this process cannot use CUDA any more.
 * `fault` is the path of dist/polybin_fault.node. Without it the last case fails. `device` is 0 by default.
 */
export async function provoke(
  log: (line: string) => void,
  { fault, device = 0 }: { readonly fault: string; readonly device?: number },
): Promise<Provoked[]> {
  const results: Provoked[] = [];
  const setting: Setting = { device, fault, log: (line) => log(`        ${line}`) };
  for (const { name, run } of [...borderCases, ...callCases, ...memoryCases, lossCase]) {
    const start = performance.now();
    const reason = await run(setting).then(
      () => "",
      (error: Error) => error.message || String(error),
    );
    results.push({ name, passed: reason === "", reason });
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    log(reason === "" ? `passed  ${name} (${seconds} s)` : `FAILED  ${name} (${seconds} s): ${reason}`);
  }
  return results;
}
