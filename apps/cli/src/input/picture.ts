import { PolybinError, type SampleType } from "@polybin/core";
import type { DecodeOptions, Picture, PictureError } from "@polybin/pictures";
import { pictureFormat } from "@polybin/pictures/formats";
import { greyOf } from "@polybin/pictures/grey";
import { expectPlain } from "./container.ts";
import { GATHER_BYTES, gather, type Source, tooBig } from "./source.ts";

/** A decoded picture, and the bytes of its file. */
interface Read {
  readonly picture: Picture;
  readonly bytes: Uint8Array;
}

/**
 * Reads a file that must be a picture.
 * @throws ERR_FORMAT if it is none. ERR_INPUT, ERR_UNSUPPORTED, ERR_LIMIT or ERR_UNAVAILABLE if it is damaged or cannot
 * be decoded.
 */
export async function readPicture(source: Source, signal: AbortSignal): Promise<Read> {
  const { name, head } = source;
  if (pictureFormat(head) === null) {
    throw new PolybinError("ERR_FORMAT", `expected a picture but ${name} is none that polybin knows`);
  }
  const bytes = await gather(source, signal);
  if (bytes === null) {
    throw new PolybinError("ERR_LIMIT", `expected at most ${GATHER_BYTES} bytes but ${name} has more`);
  }
  // The command that reads pictures alone has no option that helps.
  return { picture: await decoded(bytes, { name, signal }, ({ said }) => said), bytes };
}

/**
 * Decodes a picture.
 * @param messageOf words an error
 */
async function decoded(
  bytes: Uint8Array,
  options: DecodeOptions,
  messageOf: (error: PictureError) => string,
): Promise<Picture> {
  // Most inputs are none, and its checks are many files.
  const { decode, PictureError } = await import("@polybin/pictures");
  try {
    return await decode(bytes, options);
  } catch (error) {
    if (!(error instanceof PictureError)) throw error;
    throw new PolybinError(error.code, messageOf(error), { cause: error });
  }
}

/** How a source that may be a picture is read. */
interface PictureRequest {
  readonly raw: boolean;
  readonly lenient: boolean;
  /** The type that was asked for. Null if none was. */
  readonly type: SampleType | null;
}

/**
 * Decodes a source if it is a picture.
 * @returns null for plain values.
 * @throws ERR_INPUT, ERR_UNSUPPORTED, ERR_LIMIT or ERR_UNAVAILABLE for a picture that cannot be counted, and for the
 * containers of plain values.
 */
export async function pictureIn(
  source: Source,
  request: PictureRequest,
  signal: AbortSignal,
): Promise<{ readonly picture: Picture; readonly readMs: number } | null> {
  const format = request.raw ? null : pictureFormat(source.head);
  if (format === null) {
    if (!request.raw) expectPlain(source);
    return null;
  }
  if (!format.decodable) {
    throw new PolybinError(
      "ERR_UNSUPPORTED",
      `${source.name} is a ${format.name} picture, which polybin does not decode; --raw counts the file's bytes`,
    );
  }
  const start = performance.now();
  const encoded = await gather(source, signal);
  if (encoded === null) throw tooBig(source, "ERR_LIMIT", "--raw counts the file's bytes");
  const { name } = source;
  const { lenient } = request;
  // Errors name the options of the command that help.
  const picture = await decoded(
    encoded,
    { name, lenient, signal },
    (error) => `${error.said}; ${remedyOf(error)}`,
  );
  const readMs = performance.now() - start;
  if (request.type !== null && request.type !== picture.type) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected --type ${picture.type} or none for the ${format.name} picture ${source.name} but received ` +
        `${request.type}; --raw counts the file's bytes as values of that type`,
    );
  }
  return { picture, readMs };
}

/** The option that counts a refused picture. */
function remedyOf({ code, lenientHelps }: PictureError): string {
  const raw = "--raw counts the file's bytes";
  if (code === "ERR_UNAVAILABLE") return "--raw counts a file's bytes without it";
  if (!lenientHelps) return raw;
  if (code === "ERR_UNSUPPORTED") return `--lenient counts what the decoder puts there; ${raw}`;
  return "--lenient counts what can be decoded";
}

/** The samples of a picture that are counted. */
interface Chosen {
  readonly samples: Pick<Picture, "data" | "channels">;
  /** Each with its position in a pixel. */
  readonly channels: readonly { readonly name: string; readonly at: number }[];
}

/** Selects the channels. Computes `grey` of a colour picture. @throws ERR_INPUT for a channel that it does not have */
export function chosen(picture: Picture, channel: string, name: string, option: string): Chosen {
  const { names } = picture;
  const channels = names.map((own, at) => ({ name: own, at }));
  if (channel === "all") return { samples: picture, channels };
  const own = channels.filter((candidate) => candidate.name === channel);
  if (own.length > 0) return { samples: picture, channels: own };
  if (channel === "grey" && names[0] === "r") {
    const data = greyOf(picture.data, picture.channels);
    return { samples: { data, channels: 1 }, channels: [{ name: "grey", at: 0 }] };
  }
  throw new PolybinError(
    "ERR_INPUT",
    `expected one of ${[...names, ...(names[0] === "r" ? ["grey"] : []), "all"].join(", ")} for ${option} of ` +
      `${name} but received ${JSON.stringify(channel)}`,
  );
}
