import { PolybinError } from "@polybin/core";
import { type DecodeOptions, decode, type Picture, PictureError } from "@polybin/pictures";

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
