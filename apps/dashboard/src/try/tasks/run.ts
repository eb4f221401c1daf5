import { startWorker } from "../start-worker.ts";
import type { Step } from "./step.ts";

/** Measures the tasks in a worker, so that the page stays usable. Ends with the last of them. */
export async function* runTasks(): AsyncGenerator<Step> {
  const worker = startWorker("tasks");
  const steps: (Step | { readonly error: string } | { readonly done: true })[] = [];
  let wake: () => void = () => {};
  worker.addEventListener("message", ({ data }) => {
    steps.push(data);
    wake();
  });
  worker.addEventListener("error", ({ message }) => {
    steps.push({ error: message || "the worker could not be loaded" });
    wake();
  });
  worker.postMessage({});
  try {
    for (;;) {
      const step = steps.shift();
      if (step === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (steps.length > 0) resolve();
        });
      } else if ("error" in step) throw new Error(step.error);
      else if ("done" in step) return;
      else yield step;
    }
  } finally {
    worker.terminate();
  }
}
