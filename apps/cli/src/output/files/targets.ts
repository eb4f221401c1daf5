import { type BigIntStats, constants, fstatSync } from "node:fs";
import { access, lstat, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { PolybinError } from "@polybin/core";

/** The paths of plots, as they were typed. */
export interface Targets {
  readonly svg?: string | undefined;
  readonly png?: string | undefined;
}

/** A file that a plot is written to. */
export interface Target {
  /** As it was typed. */
  readonly typed: string;
  /** The file itself, behind all links. It may not exist yet. */
  readonly path: string;
  /** Its permissions. Null if it does not exist yet. */
  readonly mode: number | null;
  /** Whether it is a file, which is replaced once the plot is complete. A device or a pipe is written to directly. */
  readonly isFile: boolean;
}

/**
 * Resolves the paths of the plots.
 * @throws ERR_INPUT if a plot would overwrite an input, the file of stdout or the other plot, for a folder, and for a
 * write-protected file. The file system's own error if such a file cannot exist.
 */
export async function checkTargets(
  inputs: readonly Kept[],
  { svg, png }: Targets,
): Promise<{ readonly svg: Target | null; readonly png: Target | null }> {
  const check = await checker(inputs);
  return {
    svg: svg === undefined ? null : await check("--svg", svg),
    png: png === undefined ? null : await check("--png", png),
  };
}

/** A file that must not be overwritten, and what it is. */
export interface Kept {
  readonly path: string;
  readonly is: string;
}

/** The files of a command, as no output may overwrite them. */
export function keptInputs(paths: readonly string[]): readonly Kept[] {
  const is = paths.length === 1 ? "the input itself" : "an input";
  return paths.map((path) => ({ path, is }));
}

/**
 * Resolves the path of a single output.
 * @throws ERR_INPUT if it would overwrite one of these files or the file of stdout, for a folder, and for a
 * write-protected file. The file system's own error if such a file cannot exist.
 */
export async function checkOutput(kept: readonly Kept[], name: string, typed: string): Promise<Target> {
  return (await checker(kept))(name, typed);
}

async function checker(kept: readonly Kept[]): Promise<(name: string, typed: string) => Promise<Target>> {
  const taken = [{ is: "where the output goes", id: idOf(fstatSync(process.stdout.fd, { bigint: true })) }];
  for (const { path, is } of kept) taken.unshift({ is, id: idOf(await inputStats(path)) });
  return async (name, typed) => {
    if (typed === "") throw wrong(`expected a file for ${name} but received ""`);
    const { target, id } = await look(name, typed);
    const same = taken.find((other) => id !== null && other.id === id);
    if (same !== undefined) throw wrong(`expected another file for ${name}: ${typed} is ${same.is}`);
    taken.push({ is: `the file for ${name}, too`, id });
    return target;
  };
}

async function look(name: string, typed: string): Promise<{ target: Target; id: string | null }> {
  const stats = await stat(typed, { bigint: true }).catch(unlessAbsent);
  if (stats === null) {
    const path = await whereLinksLead(typed);
    const folder = await stat(dirname(path), { bigint: true });
    const id = `${folder.dev}:${folder.ino}/${basename(path)}`;
    return { target: { typed, path, mode: null, isFile: true }, id };
  }
  if (stats.isDirectory()) throw wrong(`expected a file for ${name} but ${typed} is a folder`);
  const isFile = stats.isFile();
  // A link to an open pipe (/dev/stdout) leads to no path.
  const path = isFile ? await realpath(typed) : typed;
  if (isFile) await expectWritable(typed);
  return { target: { typed, path, mode: Number(stats.mode) & 0o7777, isFile }, id: idOf(stats) };
}

/** Replacing a file needs permission of its folder only, which would ignore the file's own protection. */
async function expectWritable(typed: string): Promise<void> {
  try {
    await access(typed, constants.W_OK);
  } catch (error) {
    if (!["EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    throw wrong(`cannot write ${typed}: it is write-protected`);
  }
}

/** Resolves a path without a file: the path itself, or the target of a link. */
async function whereLinksLead(path: string): Promise<string> {
  let at = resolve(path);
  for (;;) {
    at = join(await realpath(dirname(at)), basename(at));
    const stats = await lstat(at).catch(unlessAbsent);
    if (stats === null) return at;
    at = resolve(dirname(at), await readlink(at));
  }
}

function unlessAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}

/** An input that cannot be opened is reported when it is opened. */
async function inputStats(input: string): Promise<BigIntStats | null> {
  if (input === "-") return fstatSync(process.stdin.fd, { bigint: true });
  return stat(input, { bigint: true }).catch(() => null);
}

/** Identifies a file by its inode, whatever links and spellings lead to it. Null for devices, such as /dev/null. */
function idOf(stats: BigIntStats | null): string | null {
  return stats?.isFile() ? `${stats.dev}:${stats.ino}` : null;
}

function wrong(message: string): PolybinError {
  return new PolybinError("ERR_INPUT", message);
}
