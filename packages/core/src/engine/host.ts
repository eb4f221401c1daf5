import type { Device } from "../backend/index.ts";
import { PolybinError, type Talk } from "../base/index.ts";
import type { Input, Resident, Source } from "../input/index.ts";
import type { Algorithm, ComposedAlgorithm, WeightedAlgorithm } from "../plan/index.ts";

/** The open backend behind an engine, as its parts see it. */
export interface Host {
  /** The backend's id. */
  readonly backend: string;
  readonly device: Device;
  readonly algorithms: readonly Algorithm[];
  readonly weighted: readonly (WeightedAlgorithm | ComposedAlgorithm)[];
  /** What this engine uploaded. */
  readonly uploaded: WeakSet<Resident>;
  /** A call in its turn. */
  run<P, T>(talk: Talk<P>, work: (talk: Talk<P>) => Promise<T>): Promise<T>;
}

/** The input behind a source. @throws ERR_INPUT, ERR_UNSUPPORTED where this engine cannot reach it. */
export function readable({ backend, device, uploaded }: Host, { input }: Source): Input {
  const refuse = (code: "ERR_INPUT" | "ERR_UNSUPPORTED", message: string) =>
    new PolybinError(code, message, { backend });
  if (input.kind === "file" && !device.readsFiles) {
    throw refuse(
      "ERR_UNSUPPORTED",
      `${backend} reads no files itself: pass a stream of the file, or fs.openAsBlob(path)`,
    );
  }
  if (input.kind === "external" && input.external.backend !== backend) {
    throw refuse(
      "ERR_INPUT",
      `expected samples that ${backend} can reach but these are on a device of ${input.external.backend}: ` +
        "open an engine of that backend on it",
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
