import type { ProfileJson } from "@polybin/columns/profile";
import { exactly } from "./exact.ts";
import { printable } from "./words.ts";

/** A profile as `--json` prints it: one object on one line. */
export function profileJson(found: ProfileJson): string {
  return `${printable(JSON.stringify(found, exactly))}\n`;
}
