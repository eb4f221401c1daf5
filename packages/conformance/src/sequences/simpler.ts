import { simplerRequests } from "../request/simpler.ts";
import type { Step } from "./step.ts";

/** Returns simpler forms of a step, the simplest first. */
export function* simplerOf(step: Step): Generator<Step> {
  switch (step.kind) {
    case "together":
      if (step.steps.length === 1) yield step.steps[0]!;
      for (const i of step.steps.keys()) yield { ...step, steps: step.steps.toSpliced(i, 1) };
      return;
    case "ask":
      if (step.aborted) yield { ...step, aborted: false };
      for (const request of simplerRequests(step.request)) yield { ...step, request };
      return;
    case "counter": {
      const { requests } = step;
      if (requests.length > 1)
        for (const i of requests.keys()) yield { ...step, requests: requests.toSpliced(i, 1) };
      else for (const request of simplerRequests(requests[0]!)) yield { ...step, requests: [request] };
      return;
    }
    case "wrong":
      for (const request of simplerRequests(step.request)) yield { ...step, request };
  }
}
