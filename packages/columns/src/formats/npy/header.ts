import { isPolybinError } from "@polybin/core";
import { becauseOf, damaged, fault } from "../../table/index.ts";
import { type Dtype, dtypeOf } from "./dtype.ts";
import { type Literal, parseLiteral } from "./literal.ts";

/** The header of an NPY file. */
export interface NpyHeader {
  readonly dtype: Dtype;
  readonly isFortran: boolean;
  readonly shape: readonly number[];
  /** Number of elements. */
  readonly count: number;
  /** Offset of the first element, and bytes of all. */
  readonly start: number;
  readonly bytes: number;
}

/** The first bytes of every NPY file. */
const MAGIC = Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59);
/** Bytes that hold magic, version and length of the header. */
const PREFIX_BYTES = 12;
/** Bytes of a header at most. NumPy's own limit is 10,000, unless told otherwise. */
const MAX_HEADER_BYTES = 4_194_304;
const MAX_DIMENSIONS = 64;

export const isNpy = (head: Uint8Array): boolean => MAGIC.every((byte, i) => head[i] === byte);

/**
 * Reads the header of an NPY file, versions 1.0, 2.0 and 3.0.
 * @param peek returns the first bytes of the file.
 * @throws ERR_INPUT if it is damaged, ERR_UNSUPPORTED for another version, ERR_LIMIT for a longer header.
 */
export async function headerOf(
  name: string,
  peek: (length: number) => Promise<Uint8Array>,
): Promise<NpyHeader> {
  const prefix = await peek(PREFIX_BYTES);
  if (!isNpy(prefix) || prefix.length < PREFIX_BYTES)
    throw damaged(name, "expected the start of an NPY file but found other bytes");
  const view = new DataView(prefix.buffer, prefix.byteOffset, prefix.byteLength);
  const version = prefix[6]!;
  if (version < 1 || version > 3)
    throw fault(name, "ERR_UNSUPPORTED", `expected NPY version 1, 2 or 3 but found ${version}`);
  const from = version === 1 ? 10 : 12;
  const length = version === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (length > MAX_HEADER_BYTES)
    throw fault(
      name,
      "ERR_LIMIT",
      `expected a header of at most ${MAX_HEADER_BYTES} bytes but it states ${length}`,
    );
  const start = from + length;
  const head = await peek(start);
  if (head.length < start)
    throw damaged(name, `expected a header of ${length} bytes but the file ends before`);
  const text = new TextDecoder(version === 3 ? "utf-8" : "latin1").decode(head.subarray(from));
  try {
    return checked(parseLiteral(text), start);
  } catch (error) {
    if (isPolybinError(error)) throw fault(name, error.code, error.message);
    throw damaged(name, `the header of the NPY file is damaged${becauseOf(error)}`, error);
  }
}

function checked(header: Literal, start: number): NpyHeader {
  if (typeof header !== "object" || header === null || Array.isArray(header))
    throw new Error("expected a dictionary");
  const { descr, fortran_order: isFortran, shape } = header as { readonly [name: string]: Literal };
  if (descr === undefined || typeof isFortran !== "boolean" || !Array.isArray(shape)) {
    throw new Error("expected descr, fortran_order and shape");
  }
  const isSize = (n: unknown) => Number.isSafeInteger(n) && (n as number) >= 0;
  if (shape.length > MAX_DIMENSIONS || !shape.every(isSize))
    throw new Error("expected a shape of whole numbers");
  const dtype = dtypeOf(descr);
  const count = (shape as number[]).reduce((product, n) => product * n, 1);
  const bytes = count * dtype.bytes;
  if (!Number.isSafeInteger(bytes))
    throw new Error(`expected at most 2^53 bytes but the shape states ${bytes}`);
  return { dtype, isFortran, shape: shape as number[], count, start, bytes };
}
