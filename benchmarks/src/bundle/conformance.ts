import { type RunResult, runConformance, type SuiteOptions } from "@polybin/conformance";
import { openEngine } from "@polybin/core";
import type { Target } from "../runner/target.ts";

/** Runs the whole contract on a backend, and prints the cases that did not pass. */
export async function conformance(target: Target, options: SuiteOptions): Promise<RunResult> {
  // Without a device, prints one sentence instead of one for each case.
  await (await openEngine({ backend: target.backend() })).close();
  const result = await runConformance(() => target.backend(), {
    ...options,
    required: true,
    onResult: ({ status, topic: of, name, reason }) => {
      if (status !== "passed") console.log(`${status}  ${of}: ${name}: ${reason.slice(0, 400)}`);
    },
  });
  console.log(
    `${result.passed} passed, ${result.failed} failed, ${result.skipped} skipped on ${result.device}`,
  );
  return result;
}
