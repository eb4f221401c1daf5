import { PolybinError } from "@polybin/core";
import { type DecodeOptions, decode, type Picture, PictureError } from "@polybin/pictures";
import { pictureFormat } from "@polybin/pictures/formats";
import { GATHER_BYTES, gather, type Source } from "./source.ts";

/** A decoded picture, and the bytes of its file. */
export interface Read {
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
  return { picture: await decode(bytes, { name, signal }).catch(withoutAdvice), bytes };
}

/** The command that reads pictures alone has no option that helps. */
function withoutAdvice(error: unknown): never {
  if (!(error instanceof PictureError)) throw error;
  throw new PolybinError(error.code, error.said, { cause: error });
}

/** Decodes a picture. Its errors name the options of the command that help. */
export async function decodePicture(bytes: Uint8Array, options: DecodeOptions): Promise<Picture> {
  try {
    return await decode(bytes, options);
  } catch (error) {
    if (!(error instanceof PictureError)) throw error;
    throw new PolybinError(error.code, `${error.said}; ${remedyOf(error)}`, { cause: error });
  }
}

/** The option that counts a refused picture. */
function remedyOf({ code, lenientHelps }: PictureError): string {
  const raw = "--raw counts the file's bytes";
  if (code === "ERR_UNAVAILABLE") return "--raw counts a file's bytes without it";
  if (!lenientHelps) return raw;
  if (code === "ERR_UNSUPPORTED") return `--lenient counts what the decoder puts there; ${raw}`;
  return "--lenient counts what can be decoded";
}
