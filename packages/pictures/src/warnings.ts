/** Chunks of a PNG that say how pixels are stored; warnings of others are about profiles, dates, texts. */
const PIXEL_CHUNKS: ReadonlySet<string> = new Set(["IHDR", "PLTE", "IDAT", "tRNS", "IEND"]);

/** Tells a JPEG's decoder how many it gave; the first of them follows. */
const JPEG_TALLY = /^read gave (\d+) warnings$/;

/** Is this warning about something beside the pixels, by format? */
const HARMLESS: Readonly<Record<string, (warning: string) => boolean>> = {
  PNG: (warning) => {
    const chunk = /^([A-Za-z]{4}): /.exec(warning)?.[1];
    if (chunk !== undefined) return !PIXEL_CHUNKS.has(chunk);
    return /^pngload: malformed raw profile|text chunks will be loaded|^Ignoring invalid time value/.test(
      warning,
    );
  },
  TIFF: harmlessInTiff,
  BigTIFF: harmlessInTiff,
  JPEG: (warning) => /unknown JFIF re(vision|solution)/i.test(warning),
};

/** It is asked for where the lengths of uncompressed strips follow from the picture's size. */
function harmlessInTiff(warning: string): boolean {
  return /missing required "StripByteCounts" field, calculating from imagelength/.test(warning);
}

/** What the decoder's warnings say of the pixels, in one line; null where they are about something else. */
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
  // The words say more than the tally.
  return (telling.find((warning) => !JPEG_TALLY.test(warning)) ?? telling[0]!).split("\n")[0]!;
}
