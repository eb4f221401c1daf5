import { borderCases } from "./borders.ts";
import { callCases } from "./calls.ts";
import type { Setting } from "./case.ts";
import { lossCase } from "./loss.ts";
import { memoryCases } from "./memory.ts";

export interface Provoked {
  readonly name: string;
  readonly passed: boolean;
  /** Why it did not pass; empty where it did. */
  readonly reason: string;
}

/**
 * Provokes on a real device what rarely happens by itself, and checks what must be true then. It takes minutes, all
 * memory of the device, and 7 GiB of address space. Afterwards this process cannot use CUDA any more.
 * `fault`: path of dist/polybin_fault.node; without it the last case fails. `device`: default 0.
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
