import { inputName } from "../base/index.ts";
import { weightedEngineFor } from "../engine/index.ts";
import { openSource, type Source } from "../input/index.ts";
import { checkOutput, keptInputs } from "../output/index.ts";
import { note, progressBar, type Watch, write } from "../terminal/index.ts";
import { addUp, type WeightedResult } from "./add-up.ts";
import { readLibsvm } from "./input/libsvm.ts";
import { checkCount, readWeights } from "./input/weights-file.ts";
import { writeWeightedJson } from "./json.ts";
import { parseWeightedRequest, type WeightedOptions, type WeightedRequest } from "./request.ts";

/** `polybin weighted FILE`. */
export async function weighted(path: string, options: WeightedOptions, signal: AbortSignal): Promise<void> {
  const request = parseWeightedRequest(path, options);
  if (request.out !== null) {
    const { weightedPart } = await import("./part.ts");
    const kept = [...keptInputs([path]), ...(request.weights === null ? [] : keptInputs([request.weights]))];
    const target = await checkOutput(kept, "--out", request.out);
    return weightedPart(target, request, (reading) => added(path, request, signal, reading));
  }
  const result = await added(path, request, signal);
  if (options.json) {
    await writeWeightedJson(result);
    if (request.backend === "auto") note(`auto chose ${result.backend} (${result.device})`);
    return;
  }
  const { toTable } = await import("./table.ts");
  await write(toTable(result, request.backend === "auto"));
}

/**
 * Opens the backend first, so that an unavailable one is reported without waiting for a pipe. Then reads one input at a
 * time, since an open pipe that is not read would keep the process from ending.
 */
async function added(
  path: string,
  request: WeightedRequest,
  signal: AbortSignal,
  reading: (source: Source) => Source = (source) => source,
): Promise<WeightedResult> {
  await using engine = await weightedEngineFor(request);
  const start = performance.now();
  const given =
    request.weights === null
      ? null
      : await read(request.weights, (source, ...how) => readWeights(reading(source), ...how), signal);
  const documents = await read(
    path,
    (source, ...how) =>
      readLibsvm(reading(source), ...how, request.shard === null ? {} : { shard: request.shard }),
    signal,
  );
  const weights = given ?? { name: null, values: documents.labels };
  checkCount(weights, documents);
  const readMs = performance.now() - start;
  const { watch, clear } = await progressBar(documents.name, "value");
  try {
    return await addUp({ documents, weights, readMs }, request, engine, signal, watch);
  } finally {
    clear();
  }
}

async function read<T>(
  path: string,
  reader: (source: Source, signal: AbortSignal, watch: Watch) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const source = await openSource(path, signal);
  const { watch, clear } = await progressBar(`reading ${inputName(source.name)}`, "B");
  try {
    return await reader(source, signal, watch);
  } finally {
    clear();
  }
}
