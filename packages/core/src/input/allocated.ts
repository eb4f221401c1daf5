import { expected, PolybinError } from "../base/index.ts";
import { ARRAY_TYPES, type ArrayOf, INPUT_TYPES, SAMPLE_TRAITS, type SampleType } from "./sample-types.ts";
import { checkedWhole } from "./samples.ts";

/** The constructor of a typed array. */
type ArrayClass = new (buffer: ArrayBufferLike, at: number, length: number) => unknown;

/**
 * Returns an array of zeros.
 * @param memoryOf returns a device's own memory of this many bytes; undefined: it has none
 * @throws ERR_INPUT, ERR_UNSUPPORTED, ERR_OUT_OF_MEMORY
 */
export function allocated<T extends SampleType>(
  length: number,
  type: T,
  memoryOf: (bytes: number) => ArrayBufferLike | undefined,
): ArrayOf[T] {
  if (!INPUT_TYPES.includes(type)) {
    throw expected("ERR_INPUT", "type", `one of ${INPUT_TYPES.join(", ")}`, type);
  }
  const size = SAMPLE_TRAITS[type].bytes;
  const bytes = checkedWhole(length, "length", 0, Math.floor(Number.MAX_SAFE_INTEGER / size)) * size;
  const Class = classOf(type);
  try {
    return new Class(memoryOf(bytes) ?? new ArrayBuffer(bytes), 0, length) as ArrayOf[T];
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const message = `expected memory of ${bytes} bytes but that much is not available`;
    throw new PolybinError("ERR_OUT_OF_MEMORY", message, { cause });
  }
}

function classOf(type: SampleType): ArrayClass {
  const [name] = [...ARRAY_TYPES].find(([, of]) => of === type)!;
  const found = (globalThis as unknown as Readonly<Record<string, ArrayClass | undefined>>)[name!];
  if (found !== undefined) return found;
  throw new PolybinError(
    "ERR_UNSUPPORTED",
    `expected a platform with ${name} for samples of ${type}: allocate twice as many bytes, and pass them as ` +
      `{ data, type: "${type}" }`,
  );
}
