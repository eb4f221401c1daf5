import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { PolybinError } from "@polybin/core";
import type { Task } from "./task.ts";

const SCHEME = /^[a-z][a-z0-9+.-]+:/i;

/**
 * Checks that several processes can each open the places and find the same bytes. Nothing is opened, because a pipe that
 * was opened once is lost for its reader.
 * @throws ERR_INPUT for standard input, pipes and devices. A file that does not exist passes: opening it says so.
 */
export async function checkShared(locations: readonly string[]): Promise<void> {
  for (const location of locations) {
    if (location === "-") throw refused("standard input");
    const path = pathOf(location);
    const found = path === null ? null : await stat(path).catch(() => null);
    if (found !== null && !found.isFile() && !found.isDirectory())
      throw refused(`${location}, a pipe or device`);
  }
}

/**
 * Checks that every file of a task has a version, by which two processes know that they read the same bytes.
 * @throws ERR_INPUT for standard input, pipes, devices, and servers that state neither an ETag nor a time of change
 */
export function checkVersions(files: Task["files"]): void {
  const found = files.find(({ version }) => version === null);
  if (found !== undefined) throw refused(`${nameOf(found.location)}, which has no version`);
}

/** The local path of a location. Null if it is on another machine. */
function pathOf(location: string): string | null {
  if (!SCHEME.test(location)) return resolve(location);
  try {
    return location.startsWith("file:") ? fileURLToPath(location) : null;
  } catch {
    return null;
  }
}

/** A location without its password and query, which may hold signatures. */
function nameOf(location: string): string {
  if (location === "-") return "standard input";
  const url = SCHEME.test(location) ? URL.parse(location) : null;
  return url === null ? location : `${url.protocol}//${url.host}${url.pathname}`;
}

function refused(what: string): PolybinError {
  return new PolybinError(
    "ERR_INPUT",
    "expected a file, or an object of http: or s3: with a version, so that all shards read the same bytes, " +
      `but received ${what}; save it as a file first`,
  );
}
