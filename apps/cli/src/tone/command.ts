import type { Command } from "commander";
import {
  backendOption,
  EXIT_CODES,
  HELP_OPTION,
  newCommand,
  threadsOption,
  withManual,
} from "../options/index.ts";
import { CLIP_LIMIT, GRID, type ToneOptions } from "./request.ts";

/** `polybin tone`: its options and its help. */
export function toneCommand(signal: AbortSignal): Command {
  const command = newCommand("tone")
    .allowExcessArguments(false)
    .description("Change the tones of a picture by its histogram, and write a PNG of the same depth.")
    .argument("<IN>", "a picture, known by its first bytes, or - for standard input")
    .argument("<OUT>", "the PNG to write")
    .optionsGroup("Tone, one of:")
    .option("--equalize", "spread the values of each channel evenly, as OpenCV's equalizeHist")
    .option("--clahe", "the same in tiles, with a limit to the contrast, as OpenCV's CLAHE")
    .option(
      "--stretch <LO,HI>",
      "map two percentiles to the ends of the range, such as 1,99, as scikit-image's rescale_intensity",
    )
    .option(
      "--match <REF>",
      "give each channel the histogram of another picture, as scikit-image's match_histograms",
    )
    .optionsGroup("Tiles of --clahe:")
    .option(
      "--clip-limit <N>",
      `limit of a count, as a multiple of the mean count; 0 for none (default: ${CLIP_LIMIT})`,
    )
    .option("--grid <COLUMNSxROWS>", `number of tiles (default: ${GRID})`)
    .optionsGroup("Backend:")
    .addOption(
      backendOption(
        "compiled kernels for small inputs, else the first of cuda, webgpu, native and piscina that works here",
      ),
    )
    .addOption(threadsOption())
    .optionsGroup("Help:")
    .helpOption(...HELP_OPTION)
    .action(async (from: string, to: string, options: ToneOptions) => {
      const { tone } = await import("./tone.ts");
      await tone(from, to, options, signal);
    });
  return withManual(command, {
    examples: [
      ["polybin tone photo.png even.png --equalize", "an equalized picture"],
      ["polybin tone photo.png clear.png --stretch 1,99", "the darkest and the brightest 1% cut off"],
      ["polybin tone photo.png local.png --clahe --clip-limit 2 --grid 8x8", "local contrast, with a limit"],
    ],
    notes: NOTES,
  });
}

const NOTES = [
  "Channels: each channel is changed by its own counts, at 8 or 16 bits, as the file stores it. Alpha stays as it is.",
  "Metadata: texts, Exif, resolution and colour profile are kept. The other chunks of a PNG that depend on its pixels, " +
    "such as its palette and the time of its last change, are left out.",
  EXIT_CODES,
];
