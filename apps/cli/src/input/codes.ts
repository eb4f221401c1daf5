import { type Groups, PolybinError } from "@polybin/core";
import type { Picture } from "@polybin/pictures";
import { pictureIn } from "./picture.ts";
import { gather, openSource, type Source, tooBig } from "./source.ts";

/** The samples that codes or a mask belong to. */
export interface Described {
  readonly name: string;
  readonly samples: number;
  /** Null unless the samples are a picture. */
  readonly width: number | null;
  readonly height: number | null;
}

type Codes = Uint8Array | Uint16Array | Uint32Array;
type CodeArray = new (buffer: ArrayBuffer) => Codes;

/** How files store a code: 1, 2 or 4 bytes, little-endian. */
const CODE_ARRAYS: readonly CodeArray[] = [Uint8Array, Uint16Array, Uint32Array];

/**
 * Reads a mask: a file of one byte per sample, or a grey picture of the same size. 0 leaves a sample out.
 * @throws ERR_INPUT for a file of another length or a picture of another size.
 */
export async function readMask(path: string, of: Described, signal: AbortSignal): Promise<Uint8Array> {
  const codes = await read(path, "--mask", of, CODE_ARRAYS.slice(0, 1), signal);
  return codes instanceof Uint8Array ? codes : Uint8Array.from(codes, (code) => Number(code !== 0));
}

/**
 * Reads the group of each sample: a file of one code of 1, 2 or 4 bytes per sample, or a grey picture of the same size.
 * The groups are 0 to the largest code.
 * @throws ERR_INPUT for a file of another length or a picture of another size.
 */
export async function readCodes(path: string, of: Described, signal: AbortSignal): Promise<Groups> {
  const codes = await read(path, "--by", of, CODE_ARRAYS, signal);
  let largest = 0;
  for (const code of codes) largest = Math.max(largest, code);
  return { codes, groups: largest + 1 };
}

async function read(
  path: string,
  option: string,
  of: Described,
  arrays: readonly CodeArray[],
  signal: AbortSignal,
): Promise<Codes> {
  const source = await openSource(path, signal);
  const read = await pictureIn(source, { raw: false, lenient: false, type: null }, signal);
  return read === null
    ? plainCodes(source, option, of, arrays, signal)
    : greyCodes(read.picture, source.name, option, of);
}

async function plainCodes(
  source: Source,
  option: string,
  { name, samples }: Described,
  arrays: readonly CodeArray[],
  signal: AbortSignal,
): Promise<Codes> {
  const bytes = await gather(source, signal);
  if (bytes === null) throw tooBig(source, "ERR_LIMIT", "cut it into smaller files");
  for (const [power, Codes] of arrays.entries()) {
    // A copy, since the bytes may begin at any address.
    if (bytes.length === samples * 2 ** power) return new Codes(Uint8Array.from(bytes).buffer);
  }
  const each = arrays.length === 1 ? "1 byte" : "1, 2 or 4 bytes";
  throw new PolybinError(
    "ERR_INPUT",
    `expected ${each} for each of the ${samples} samples of ${name} in the file of ${option} but ${source.name} has ` +
      `${bytes.length} bytes`,
  );
}

function greyCodes(
  { data, channels, names, width, height }: Picture,
  own: string,
  option: string,
  of: Described,
): Codes {
  if (names[0] !== "grey") {
    throw new PolybinError(
      "ERR_INPUT",
      `expected a grey picture for ${option} but ${own} has the channels ${names.join(", ")}`,
    );
  }
  const isPicture = of.width !== null;
  const fits = isPicture ? width === of.width && height === of.height : width * height === of.samples;
  if (!fits) {
    const wanted = isPicture ? `${of.width} x ${of.height} pixels` : `${of.samples} pixels`;
    throw new PolybinError(
      "ERR_INPUT",
      `expected a picture of ${wanted}, as ${of.name} has, for ${option} but ${own} has ${width} x ${height}`,
    );
  }
  // Alpha, if there is any, comes after the grey of each pixel.
  return channels === 1 ? data : data.filter((_, i) => i % channels === 0);
}
