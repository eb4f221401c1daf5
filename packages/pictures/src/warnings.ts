import { PIXEL_CHUNKS } from "./damage/png-chunks.ts";

/** The number of warnings of a JPEG's decoder. The first warning follows. */
const JPEG_TALLY = /^read gave (\d+) warnings$/;

/**
 * A transparent colour may have more bits than a sample. The standard and the decoder take the low ones. The other
 * warnings concern profiles, texts and dates.
 */
const PNG_HARMLESS =
  /^pngload: malformed raw profile|text chunks will be loaded|^Ignoring invalid time|^tRNS chunk has out-of-range samples/;

/** Whether a warning concerns something other than the pixels, by format. */
const HARMLESS: Readonly<Record<string, (warning: string) => boolean>> = {
  PNG: (warning) => {
    const chunk = /^([A-Za-z]{4}): /.exec(warning)?.[1];
    if (chunk !== undefined) return !PIXEL_CHUNKS.has(chunk);
    return PNG_HARMLESS.test(warning);
  },
  TIFF: harmlessInTiff,
  BigTIFF: harmlessInTiff,
  JPEG: (warning) => /unknown JFIF re(vision|solution)/i.test(warning),
};

/** The lengths of uncompressed strips follow from the picture's size. The decoder reads LZW of both bit orders. */
function harmlessInTiff(warning: string): boolean {
  return /missing required "StripByteCounts" field, calculating from imagelength|^Old-style LZW codes/.test(
    warning,
  );
}

/** Returns one line of the decoder's warnings about the pixels, or null if all concern something else. */
export function tellsOfPixels(warnings: readonly string[], format: string): string | null {
  const harmless = HARMLESS[format] ?? (() => false);
  const said = warnings
    .map((warning) => warning.trim())
    .filter(
      (warning) =>
        warning !== "" && !(JPEG_TALLY.test(warning) && Number(JPEG_TALLY.exec(warning)![1]) === 1),
    );
  const telling = said.filter((warning) => !harmless(warning));
  if (telling.length === 0) return null;
  // The text says more than the number of warnings.
  return (telling.find((warning) => !JPEG_TALLY.test(warning)) ?? telling[0]!).split("\n")[0]!;
}
