import { type ErrorCode, isPolybinError } from "@polybin/core";
import { CommanderError } from "commander";
import { printable } from "../base/index.ts";
import { advised } from "./advice.ts";

/** Codes of errors that the caller can correct. The others are failures of polybin or of the machine. */
const CALLERS: ReadonlySet<ErrorCode> = new Set([
  "ERR_INPUT",
  "ERR_FORMAT",
  "ERR_AXIS",
  "ERR_UNSUPPORTED",
  "ERR_UNAVAILABLE",
  "ERR_LIMIT",
]);

/** Errors of the file system about a path of the caller, in words. */
const PATH_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  ENOTDIR: "a part of the path is not a folder",
  EISDIR: "it is a folder",
  EACCES: "permission is denied",
  EPERM: "permission is denied",
  EROFS: "the file system is read-only",
  ELOOP: "its links form a circle",
  ENAMETOOLONG: "its name is too long",
  EBUSY: "it is in use",
  EINVAL: "it cannot be opened",
  ENXIO: "it cannot be opened",
  ERR_INVALID_ARG_VALUE: "its name has a null byte",
};

/** Errors of the file system about the output, in words: the request itself is right. */
const OUTPUT_PROBLEMS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is exceeded",
  EFBIG: "the file would be too large",
  EIO: "the disk or the terminal failed",
  EBADF: "it is closed, or open for reading only",
};

/** The exit code: 2 for wrong use or wrong input, 1 for any other failure. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (isPolybinError(error)) return CALLERS.has(error.code) ? 2 : 1;
  return outputProblem(error) === null && pathProblem(error) !== null ? 2 : 1;
}

/** The line on stderr, or null if there is nothing to print, as after --help. */
export function lineOf(error: unknown): string | null {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return null;
    return form("ERR_INPUT", error.message.replace(/^error: /, ""));
  }
  if (isPolybinError(error)) return form(error.code, advised(error.message));
  const output = outputProblem(error);
  if (output !== null) return form("ERR_OUTPUT", output);
  const problem = pathProblem(error);
  if (problem !== null) return form("ERR_INPUT", problem);
  return form("ERR_INTERNAL", error instanceof Error ? error.message : String(error));
}

/** Why the output or a plot could not be written. Null for any other error. */
function outputProblem(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code = "", path, syscall } = error as NodeJS.ErrnoException;
  const why = OUTPUT_PROBLEMS[code];
  if (syscall === "read" || why === undefined) return null;
  return `cannot write ${path ?? "the output"}: ${why} (${code})`;
}

/** Why a path or its file cannot be used. Null for any other error. */
function pathProblem(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  // Only the input is read. The error of a stream does not know its path.
  if (syscall === "read") return `cannot read the input: ${error.message}`;
  const why = code === undefined ? undefined : PATH_PROBLEMS[code];
  if (why === undefined) return null;
  return path === undefined ? error.message : `cannot open ${path}: ${why}`;
}

function form(code: string, message: string): string {
  return `error[${code}]: ${printable(message.trim().replace(/\s*\n\s*/g, " "))}`;
}
