import { codeOf, fieldOf, howCode, inputOf, object } from "../request/code.ts";
import type { Column } from "../request/request.ts";
import { countedPixels } from "../request/samples.ts";
import type { Step } from "./step.ts";

/** Returns a sequence as code. */
export function codeOfAll(steps: readonly Step[]): string {
  return [
    "const engine = await openEngine({ backend });",
    ...steps.map((step) => `${statement(step)};`),
  ].join("\n");
}

function statement(step: Step): string {
  switch (step.kind) {
    case "ask": {
      const call = codeOf(step.request);
      return step.aborted ? `${call.replace(/^await /, "")} // aborted at once` : call;
    }
    case "counter":
      return step.requests.map((one) => `${codeOf({ ...one, way: step.way })} // one counter`).join(";\n");
    case "take":
    case "free":
      return codeOf({ ...step.of, way: "count" }).replace(/\.count\(.*$/s, `.${step.kind}()`);
    case "sums": {
      const { table, weights, kind: _, ...options } = step;
      return `await (await table(${JSON.stringify(table)})).sums(weights(${weights}), ${JSON.stringify(options)})`;
    }
    case "extent":
      return `await engine.extent(${inputOf(step.data)})`;
    case "release":
      return `await (${inputOf(step.data)}).free()`;
    case "explain": {
      const [{ data, over }] = step.request.columns as [Column];
      return `await engine.explain(${object([`type: "${data.type}"`, `samples: ${countedPixels(data)}`, fieldOf(over), ...howCode(step.how)])})`;
    }
    case "wrong":
      return `${codeOf(step.request)}.catch(() => {}) // with other channels than it has`;
    case "together":
      return `await Promise.all([\n${step.steps.map((one) => `  ${statement(one).replace(/^await /, "")},`).join("\n")}\n])`;
    case "reopen":
      return "await engine.close()";
  }
}
