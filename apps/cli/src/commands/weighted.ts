import { weightedEngineFor } from "../engine.ts";
import { readLibsvm } from "../input/libsvm.ts";
import { openSource } from "../input/source.ts";
import { readWeights } from "../input/weights-file.ts";
import { writeWeightedJson } from "../output/weighted-json.ts";
import { progressLine } from "../progress.ts";
import { addUp, type WeightedResult } from "../weighted.ts";
import { parseWeightedRequest, type WeightedOptions, type WeightedRequest } from "../weighted-request.ts";

/** `polybin weighted FILE`. */
export async function weighted(path: string, options: WeightedOptions, signal: AbortSignal): Promise<void> {
  const request = parseWeightedRequest(path, options);
  const result = await added(path, request, signal);
  if (options.json) return writeWeightedJson(result);
  const [{ toTable }, { write }] = await Promise.all([
    import("../output/weighted-table.ts"),
    import("../output/write.ts"),
  ]);
  await write(toTable(result));
}

/** Opens the backend first, and both files before it reads one: who mistyped a name need not wait to be told so. */
async function added(path: string, request: WeightedRequest, signal: AbortSignal): Promise<WeightedResult> {
  await using engine = await weightedEngineFor(request);
  const source = await openSource(path, signal);
  const weightSource = request.weights === null ? null : await openSource(request.weights, signal);
  const { watch, clear } = progressLine(source.name);
  try {
    const start = performance.now();
    const documents = await readLibsvm(source, signal, watch);
    const weights =
      weightSource === null
        ? { name: null, values: documents.labels }
        : {
            name: weightSource.name,
            values: await readWeights(weightSource, documents.labels.length, signal, watch),
          };
    return await addUp(documents, weights, request, engine, signal, watch, performance.now() - start);
  } finally {
    clear();
  }
}
