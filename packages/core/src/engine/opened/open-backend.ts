import { PARAMETER_NAMES, WEIGHTED_PARAMETER_NAMES } from "../../algorithms/index.ts";
import type { Backend, Device } from "../../backend/index.ts";
import { type CallControl, PolybinError } from "../../base/index.ts";
import {
  type ByteStream,
  type Countable,
  type Cuttable,
  type Input,
  type Resident,
  type SampleType,
  type Source,
  sourceOf,
} from "../../input/index.ts";
import type { Algorithm, ComposedAlgorithm, WeightedAlgorithm } from "../../plan/index.ts";
import { parameterNames } from "./parameters.ts";

/** The open backend behind an engine, as the engine's parts see it. */
export interface OpenBackend {
  /** The backend's id. */
  readonly backend: string;
  readonly device: Device;
  readonly algorithms: readonly Algorithm[];
  readonly weighted: readonly (WeightedAlgorithm | ComposedAlgorithm)[];
  /** Options that are parameters of algorithms, and of weighted algorithms. */
  readonly parameters: readonly string[];
  readonly weightedParameters: readonly string[];
  /** Residents that this engine uploaded, with the size of their picture; null: they had no rows. */
  readonly uploaded: WeakMap<Resident, Cuttable["image"]>;
  /** Types of the samples that were uploaded in another type: f16 as u16, and 64-bit integers as f64. */
  readonly converted: WeakMap<Resident, SampleType>;
  /** Runs a call when its turn comes. */
  run<P, T>(talk: CallControl<P>, work: (talk: CallControl<P>) => Promise<T>): Promise<T>;
}

/** Combines an open backend with the function that gives calls their turn. */
export function openBackendOf(
  { id, algorithms, weighted = [] }: Backend,
  device: Device,
  run: OpenBackend["run"],
): OpenBackend {
  return {
    backend: id,
    device,
    algorithms,
    weighted,
    parameters: parameterNames(PARAMETER_NAMES, algorithms),
    weightedParameters: parameterNames(WEIGHTED_PARAMETER_NAMES, weighted),
    uploaded: new WeakMap(),
    converted: new WeakMap(),
    run,
  };
}

/**
 * Returns an input with its checked shape, and with the type that it had when it was uploaded.
 * @param untyped the type of the samples if the input is plain memory. Default: "u8".
 * @throws ERR_INPUT
 */
export function sourceIn(
  { converted }: Pick<OpenBackend, "converted">,
  given: Exclude<Countable, ByteStream>,
  untyped?: SampleType,
): Source {
  const source = sourceOf(given, untyped);
  const { input } = source;
  const type = input.kind === "resident" ? converted.get(input.resident) : undefined;
  return type === undefined ? source : { ...source, type };
}

/** Returns the input behind a source. @throws ERR_INPUT or ERR_UNSUPPORTED if this engine cannot reach it. */
export function readable(opened: OpenBackend, { input }: Source): Input {
  return input.kind === "samples" ? input : reachable(opened, input);
}

function reachable(
  { backend, device, uploaded }: OpenBackend,
  input: Exclude<Input, { kind: "samples" }>,
): Input {
  const refuse = (code: "ERR_INPUT" | "ERR_UNSUPPORTED", message: string) =>
    new PolybinError(code, message, { backend });
  if (input.kind === "file" && !device.readsFiles) {
    throw refuse(
      "ERR_UNSUPPORTED",
      `${backend} does not read files itself: pass a stream of the file, or fs.openAsBlob(path)`,
    );
  }
  if (input.kind === "external" && input.external.backend !== backend) {
    throw refuse(
      "ERR_INPUT",
      `expected samples that ${backend} can reach but these are on a device of ${input.external.backend}: ` +
        "open an engine of that backend on that device",
    );
  }
  if (input.kind === "resident" && input.resident.freed) {
    throw refuse("ERR_INPUT", "expected resident samples but they were freed");
  }
  if (input.kind === "resident" && !uploaded.has(input.resident)) {
    throw refuse("ERR_INPUT", "expected a resident that this engine uploaded");
  }
  return input;
}
