import { checkNames, checkObject, expected } from "@polybin/core/backend";
import type { ComparisonJson } from "../compare/index.ts";
import type { ProfileJson } from "../profile/index.ts";
import { comparisonPage } from "./page/comparison.ts";
import { type Heading, page } from "./page/page.ts";

export { type Finding, findings } from "./findings.ts";

/** The options of a report. */
export interface ReportOptions {
  /** The heading. Default: the name of the file, or the number of files. */
  readonly title?: string | undefined;
  /** The date below the heading. Default: none, so that equal profiles have equal pages. */
  readonly date?: Date | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Renders a profile as one HTML page. The page holds everything that it shows: it opens from a disk, and its policy
 * forbids every request.
 * @throws ERR_INPUT for anything but a profile of version 1, and for wrong options. ERR_UNAVAILABLE if the package vega is
 * not installed. The signal's reason if it aborts.
 */
export async function renderReport(profile: ProfileJson, options: ReportOptions = {}): Promise<string> {
  return page(profile, headingOf(profile, "profile", options), options.signal);
}

/**
 * Renders a comparison as one HTML page, those columns first that changed most.
 * @throws as `renderReport`
 */
export async function renderComparison(
  comparison: ComparisonJson,
  options: ReportOptions = {},
): Promise<string> {
  return comparisonPage(comparison, headingOf(comparison, "comparison", options), options.signal);
}

/** Checks what is rendered and its options. */
function headingOf(of: ProfileJson | ComparisonJson, name: string, options: ReportOptions): Heading {
  checkObject(of, { of: name });
  if (of.version !== 1) throw expected("ERR_INPUT", `${name}.version`, "1", of.version);
  checkNames(options, ["title", "date", "signal"]);
  const { title, date } = options;
  if (title !== undefined && typeof title !== "string")
    throw expected("ERR_INPUT", "title", "a string", title);
  if (date !== undefined && !(date instanceof Date && Number.isFinite(date.getTime()))) {
    throw expected("ERR_INPUT", "date", "a valid Date", date);
  }
  return { title, date };
}
