import { realpath } from "node:fs/promises";
import { sep } from "node:path";
import { PolybinError } from "@polybin/core";
import { expected } from "@polybin/core/backend";

/**
 * The places that may be opened: schemes ("https:"), addresses that a URL must begin with ("https://data.example.org/public/",
 * "s3://bucket/") and folders. Without it, everything may be opened.
 */
export type Allow = readonly string[];

/** Matches the scheme of a URL. A single letter is a drive of Windows. */
export const SCHEME: RegExp = /^([a-z][a-z0-9+.-]+):/i;

/** Matches an entry that allows all addresses of a scheme. */
const WHOLE_SCHEME = /^[^:]+:(\/\/)?$/;

/** @throws ERR_INPUT unless the value is a list of schemes, addresses and folders. */
export function checkAllow(allow: unknown): void {
  if (allow === undefined) return;
  const isPlace = (entry: unknown) =>
    typeof entry === "string" &&
    entry !== "" &&
    (!SCHEME.test(entry) || WHOLE_SCHEME.test(entry) || URL.canParse(entry));
  if (!Array.isArray(allow) || !allow.every(isPlace)) {
    throw expected("ERR_INPUT", "allow", "an array of folders, schemes and addresses", allow);
  }
}

/** @throws ERR_INPUT unless `allow` has the scheme of a URL, or an address that it begins with. */
export function checkUrl(url: URL, allow: Allow | undefined, name: string): void {
  if (allow === undefined) return;
  const isAllowed = allow.some((entry) => {
    if (!SCHEME.test(entry)) return false;
    if (WHOLE_SCHEME.test(entry)) return url.protocol === entry.replace(/\/\/$/, "").toLowerCase();
    const root = new URL(entry);
    if (root.protocol !== url.protocol || root.host !== url.host) return false;
    // "/public" allows "/public" and "/public/a", and not "/publicity".
    const folder = root.pathname.endsWith("/") ? root.pathname : `${root.pathname}/`;
    return url.pathname === root.pathname || decodesBelow(url.pathname, folder);
  });
  if (!isAllowed) throw refused(name, allow);
}

/** Whether a path of a URL lies below a folder. Encoded dots and slashes could leave it on the server, so they do not. */
const decodesBelow = (path: string, folder: string): boolean =>
  path.startsWith(folder) && !/%2e|%2f|%5c|\\/i.test(path.slice(folder.length));

/**
 * Returns the real path of a file, with all symbolic links and ".." resolved.
 * @throws ERR_INPUT unless it lies in one of the allowed folders.
 */
export async function allowedPath(path: string, allow: Allow | undefined, name: string): Promise<string> {
  if (allow === undefined) return path;
  const roots = allow.filter((entry) => !SCHEME.test(entry));
  const real = await realpath(path).catch(() => null);
  for (const root of roots) {
    const folder = await realpath(root).catch(() => null);
    if (folder === null || real === null) continue;
    if (real === folder || real.startsWith(folder.endsWith(sep) ? folder : folder + sep)) return real;
  }
  throw refused(name, allow);
}

const refused = (name: string, allow: Allow): PolybinError =>
  new PolybinError(
    "ERR_INPUT",
    `${name}: expected a place in ${allow.length === 0 ? "an empty list" : allow.join(", ")} (allow) but it lies outside, or does not exist`,
  );
