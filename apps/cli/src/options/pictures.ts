import type { Command } from "commander";
import { both } from "./checks.ts";

/** The options of a file that may be a picture, as they were typed. */
export interface PictureOptions {
  readonly raw?: boolean;
  readonly lenient?: boolean;
  readonly mask?: string;
}

/** How files that may be pictures are read. */
export interface PictureReading {
  readonly raw: boolean;
  /** Whether to count what can be decoded of a damaged picture. */
  readonly lenient: boolean;
  /** Path of the mask. Null to count all samples. */
  readonly mask: string | null;
}

/** The values of `--channel`. */
export const CHANNELS: readonly string[] = ["r", "g", "b", "a", "c", "m", "y", "k", "grey", "all"];

/** Adds `--raw` and `--lenient`. */
export function pictureOptions(command: Command): Command {
  return command
    .option("--raw", "count the bytes of any file, even of a picture or an archive")
    .option("--lenient", "count what can be decoded of a damaged picture, and print a warning");
}

/** Adds `--mask`. */
export function maskOption(command: Command): Command {
  return command.option(
    "--mask <FILE>",
    "count only samples whose byte in this file is not 0, or whose pixel in this grey picture is not black",
  );
}

/** Reads the options. @throws ERR_INPUT */
export function parsePictures({ raw = false, lenient = false, mask }: PictureOptions): PictureReading {
  if (raw && lenient) throw both("--raw, which decodes nothing,", "--lenient");
  return { raw, lenient, mask: mask ?? null };
}
