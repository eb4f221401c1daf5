import { PolybinError, type SamplesInit } from "@polybin/core";
import { SAMPLE_TRAITS } from "@polybin/core/backend";
import type { Picture } from "@polybin/pictures";
import { chosen, expectNoText, gather, openSource, pictureIn, type Source, tooBig } from "../input/index.ts";
import type { InputDescription } from "../output/index.ts";
import type { ColumnRequest, JointRequest } from "./request.ts";

/** One column of a joint histogram, in memory. */
export interface Column {
  readonly input: InputDescription;
  /** The name of the channel, `values` unless the input is a picture. */
  readonly channel: string;
  /** Interleaved samples. Two channels of one picture share them. */
  readonly of: SamplesInit;
  /** The position of the channel in a pixel. */
  readonly at: number;
  /** The damage of a picture that --lenient counted, in words. Null for an undamaged input. */
  readonly damage: string | null;
}

/** A source that was read: the picture, or null for plain values. */
interface Read {
  readonly source: Source;
  readonly picture: Picture | null;
}

/**
 * Reads the columns of a request. Reads a picture once if both are channels of it.
 * @throws ERR_INPUT unless both have the same number of samples, and pictures the same size.
 */
export async function readColumns(
  request: JointRequest,
  signal: AbortSignal,
): Promise<readonly [Column, Column]> {
  const { columns, raw, lenient } = request;
  const read = async ({ path, type }: ColumnRequest): Promise<Read> => {
    const source = await openSource(path, signal);
    const found = await pictureIn(source, { raw, lenient, type }, signal);
    if (found === null && !raw && type === null) expectNoText(source);
    return { source, picture: found?.picture ?? null };
  };
  const [a, b] = columns;
  const first = await read(a);
  // A path that is given twice is read twice, as two files are.
  const second = a.path === b.path && a.channel !== null && first.picture !== null ? first : await read(b);
  const found = [await columnOf(first, a, signal), await columnOf(second, b, signal)] as const;
  checkSizes(found);
  return found;
}

async function columnOf(
  { source, picture }: Read,
  request: ColumnRequest,
  signal: AbortSignal,
): Promise<Column> {
  const { name } = source;
  if (picture === null) return plainColumn(source, request, signal);
  const { type, width, height, damage, names } = picture;
  const { samples, channels } = chosen(picture, request.channel ?? greyOr(names, name), name, "--channels");
  const [{ name: channel, at }] = channels as [{ readonly name: string; readonly at: number }];
  return {
    input: { name, kind: "image", type, samples: width * height, width, height },
    channel,
    of: samples,
    at,
    damage,
  };
}

/** The default channel. @throws ERR_INPUT for a picture of inks */
function greyOr(names: readonly string[], name: string): string {
  if (names[0] !== "c") return "grey";
  throw new PolybinError("ERR_INPUT", `expected --channels for ${name}, which has ${names.join(", ")}`);
}

async function plainColumn(
  source: Source,
  { channel, type: given }: ColumnRequest,
  signal: AbortSignal,
): Promise<Column> {
  const { name } = source;
  if (channel !== null) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected no --channels for ${name}, which is not a picture, but received ${channel}`,
    );
  }
  const type = given ?? "u8";
  const bytes = await gather(source, signal);
  if (bytes === null) throw tooBig(source, "ERR_LIMIT", "cut it into smaller files");
  const { bytes: size } = SAMPLE_TRAITS[type];
  if (bytes.length % size !== 0) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected a whole number of ${type} samples, ${size} bytes each, but ${name} has ${bytes.length} bytes`,
    );
  }
  const input = { name, kind: "raw", type, samples: bytes.length / size, width: null, height: null } as const;
  return { input, channel: "values", of: { data: bytes, type }, at: 0, damage: null };
}

/** @throws ERR_INPUT */
function checkSizes([{ input: a }, { input: b }]: readonly [Column, Column]): void {
  const arePictures = a.width !== null && b.width !== null;
  const fit = arePictures ? a.width === b.width && a.height === b.height : a.samples === b.samples;
  if (fit) return;
  const [wanted, received] = arePictures
    ? [`${a.width} x ${a.height} pixels`, `${b.width} x ${b.height}`]
    : [`${a.samples} samples`, `${b.samples}`];
  throw new PolybinError("ERR_INPUT", `expected ${wanted}, as ${a.name} has, but ${b.name} has ${received}`);
}
