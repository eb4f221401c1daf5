import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decode as decodePng } from "fast-png";
import sharp from "sharp";
import type { Format } from "./corpus.ts";

/** The verdict of another decoder: null for an undamaged picture, otherwise the reason. */
export type Verdict = string | null;

/** A program that reads a picture, and the part of its output that means damage. */
interface Program {
  readonly program: string;
  readonly args: (path: string) => readonly string[];
  /** The line that complains. Default: the first line on stderr. */
  readonly complaint?: RegExp;
  /** Output that it also writes for undamaged files. */
  readonly harmless?: RegExp;
  /** The command that checks whether it is installed. */
  readonly probe: readonly string[];
}

const PROGRAMS: Readonly<Record<Format, readonly Program[]>> = {
  PNG: [{ program: "pngcheck", args: (path) => ["-q", path], complaint: /it {2}|^ERROR/, probe: ["-h"] }],
  JPEG: [
    {
      program: "djpeg",
      args: (path) => ["-strict", "-outfile", "/dev/null", path],
      probe: ["-version"],
    },
  ],
  TIFF: [
    {
      program: "tiffcp",
      args: (path) => ["-c", "none", path, `${path}.out`],
      probe: ["-h"],
      harmless: /Unknown field with tag|ASCII value|date|Make|DateTime/i,
    },
  ],
  GIF: [
    {
      program: "gifsicle",
      args: (path) => ["--no-ignore-errors", path, "-o", "/dev/null"],
      harmless: /too many colors|trailing garbage|You may want to try/,
      probe: ["--version"],
    },
    { program: "giftext", args: (path) => [path], probe: ["-h"] },
  ],
  WebP: [
    {
      program: "webpinfo",
      args: (path) => [path],
      complaint: /^(Error|Warning|No error)?.*(Error|Warning|Truncated).*/m,
      probe: ["-version"],
    },
    {
      program: "dwebp",
      args: (path) => [path, "-quiet", "-o", "/dev/null"],
      harmless: /animated WebP file is not supported/,
      probe: ["-version"],
    },
  ],
  AVIF: [{ program: "avifdec", args: (path) => [path, `${path}.y4m`], probe: ["--version"] }],
};

const present = new Map<string, boolean>();

function isHere({ program, probe }: Program): boolean {
  let here = present.get(program);
  if (here === undefined) {
    here = spawnSync(program, probe).error === undefined;
    present.set(program, here);
  }
  return here;
}

/** The programs that are not installed and therefore do not judge. */
export function absent(format: Format): string[] {
  return PROGRAMS[format].filter((program) => !isHere(program)).map(({ program }) => program);
}

/**
 * Returns the verdicts of other decoders on these bytes.
 * @param programs whether to ask installed programs, too, or only the decoders of packages
 */
export async function judge(
  bytes: Uint8Array,
  format: Format,
  programs: boolean,
): Promise<ReadonlyMap<string, Verdict>> {
  const verdicts = new Map<string, Verdict>([["sharp", await sharpSays(bytes)]]);
  if (format === "PNG")
    verdicts.set(
      "fast-png",
      attempt(() => decodePng(bytes, { checkCrc: true })),
    );
  if (!programs) return verdicts;
  const folder = mkdtempSync(join(tmpdir(), "polybin-mutated-"));
  try {
    const path = join(folder, "picture");
    writeFileSync(path, bytes);
    for (const program of PROGRAMS[format]) {
      if (isHere(program)) verdicts.set(program.program, ask(program, path));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return verdicts;
}

function ask({ program, args, complaint, harmless }: Program, path: string): Verdict {
  const { status, stdout, stderr } = spawnSync(program, args(path), { encoding: "latin1", timeout: 20_000 });
  const said = `${complaint === undefined ? "" : stdout}${stderr}`.replaceAll(path, "it");
  const lines = said.split("\n").filter((line) => line.trim() !== "" && !harmless?.test(line));
  const line = lines.find((candidate) => complaint?.test(candidate) ?? true);
  if (status === 0 || line !== undefined) return line ?? null;
  return lines[0] ?? (said.trim() === "" ? `ends with ${status}` : null);
}

/** sharp at its strictest, with its warnings. */
async function sharpSays(bytes: Uint8Array): Promise<Verdict> {
  const warnings: string[] = [];
  try {
    const pipeline = sharp(bytes, { failOn: "warning", ignoreIcc: true }).raw();
    pipeline.on("warning", (warning: string) => warnings.push(warning));
    await pipeline.toBuffer();
    return warnings[0] ?? null;
  } catch (error) {
    return (error as Error).message.split("\n")[0]!;
  }
}

function attempt(work: () => unknown): Verdict {
  try {
    work();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
