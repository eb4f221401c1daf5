import { type ErrorCode, isPolybinError } from "@polybin/core";
import { CommanderError } from "commander";
import { printable } from "./output/words.ts";

/** Codes that mean the caller asked for something that cannot be had; the rest are failures of ours. */
const CALLERS: ReadonlySet<ErrorCode> = new Set([
  "ERR_INPUT",
  "ERR_AXIS",
  "ERR_UNSUPPORTED",
  "ERR_UNAVAILABLE",
  "ERR_LIMIT",
]);

/** What the file system says about a path that the caller gave. */
const PATH_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  ENOTDIR: "a part of the path is not a folder",
  EISDIR: "it is a folder",
  EACCES: "permission is denied",
  EPERM: "permission is denied",
  EROFS: "the file system is read-only",
  ELOOP: "its links lead in a circle",
  ENAMETOOLONG: "its name is too long",
  EBUSY: "it is in use",
  EINVAL: "it cannot be opened",
  ENXIO: "it cannot be opened",
  ERR_INVALID_ARG_VALUE: "its name holds a null byte",
};

/** Why the output cannot be taken, though nothing is wrong with what was asked for. */
const OUTPUT_PROBLEMS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the user's share of the disk is full",
  EFBIG: "the file would be too large",
  EIO: "the disk or the terminal fails",
};

/** 2 for wrong use or wrong input, 1 for a failure of ours. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (isPolybinError(error)) return CALLERS.has(error.code) ? 2 : 1;
  return outputProblem(error) === null && pathProblem(error) !== null ? 2 : 1;
}

/** The one line on stderr; null where there is nothing to say, as after --help. */
export function lineOf(error: unknown): string | null {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return null;
    return form("ERR_INPUT", error.message.replace(/^error: /, ""));
  }
  if (isPolybinError(error)) return form(error.code, error.message);
  const output = outputProblem(error);
  if (output !== null) return form("ERR_OUTPUT", output);
  const problem = pathProblem(error);
  if (problem !== null) return form("ERR_INPUT", problem);
  return form("ERR_INTERNAL", error instanceof Error ? error.message : String(error));
}

/** Why the output, or a plot, could not be written, in words; null for any other error. */
function outputProblem(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code = "", path, syscall } = error as NodeJS.ErrnoException;
  const why = OUTPUT_PROBLEMS[code];
  if (syscall === "read" || why === undefined) return null;
  return `cannot write ${path ?? "the output"}: ${why} (${code})`;
}

/** What is wrong with a path or the file behind it, in words; null for any other error. */
function pathProblem(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  // Input is all that is read; the error of a stream does not know its path.
  if (syscall === "read") return `cannot read the input: ${error.message}`;
  const why = code === undefined ? undefined : PATH_PROBLEMS[code];
  if (why === undefined) return null;
  return path === undefined ? error.message : `cannot open ${path}: ${why}`;
}

function form(code: string, message: string): string {
  return `error[${code}]: ${printable(message.trim().replace(/\s*\n\s*/g, " "))}`;
}
