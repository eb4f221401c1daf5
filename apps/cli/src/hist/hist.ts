import { existsSync } from "node:fs";
import { PolybinError } from "@polybin/core";
import { inputName } from "../base/index.ts";
import { Choice } from "../engine/index.ts";
import { isPiped, kindOf, openSource, placesOf, type Source } from "../input/index.ts";
import { checkOneStdin } from "../options/index.ts";
import { checkTargets, type Kept, printResult } from "../output/index.ts";
import { progressBar, tellDamage, tellMachine, type Watch, write } from "../terminal/index.ts";
import { count } from "./count.ts";
import { type HistOptions, isSelected, isTable, parseRequest, type Request } from "./request.ts";
import type { SegmentedRequest } from "./segmented.ts";

export { isPiped };

/** `polybin hist FILE`, or several tables. */
export async function hist(
  given: readonly string[],
  options: HistOptions,
  signal: AbortSignal,
): Promise<void> {
  const files = options.raw || options.type !== undefined ? given : await placesOf(given, signal);
  // The readers of tables look at files, and not ahead at a pipe.
  const isKnown = isTable(options) && !(options.column !== undefined && files.includes("-"));
  const format = isKnown ? null : await formatOf(files, options, signal);
  if (isTable(options) || format !== null) {
    const { tableHist } = await import("./table.ts");
    return tableHist(files, { ...options, ...format }, signal);
  }
  const [path, second] = files as readonly [string, ...string[]];
  if (second !== undefined) {
    // A missing file has a message of its own.
    for (const file of files) if (!existsSync(file)) await openSource(file, signal);
    throw new PolybinError(
      "ERR_INPUT",
      `expected one picture or file of values, or several tables, but received ${files.length} files; ` +
        `${inputName(path)} is no table; pass one, or polybin joint A B counts two together`,
    );
  }
  const request = parseRequest(options);
  if (options.explain) return explained(path, request, options, signal);
  const { segments } = request;
  if (segments !== null) return segmented(path, { ...request, segments }, options, signal);
  const targets = await checkTargets(inputsOf(path, request), options);
  const counter = isSelected(request) ? (await import("./selected.ts")).countSelected : count;
  const result = await watched(path, request, signal, (source, choice, watch) =>
    counter(source, request, choice, signal, watch),
  );
  const { json, csv } = options;
  await printResult(result, {
    view: request.view,
    byAuto: request.backend === "auto",
    json,
    csv,
    ...targets,
  });
  if (result.damage !== null) tellDamage(result.input.name, result.damage);
}

/**
 * The option of the format of a table that is counted without --column. Null for anything else.
 * @throws ERR_INPUT for a text that is no table
 */
async function formatOf(
  paths: readonly string[],
  options: HistOptions,
  signal: AbortSignal,
): Promise<Pick<HistOptions, "format"> | null> {
  const { raw, type, format } = options;
  if (raw || type !== undefined) return null;
  if (format !== undefined) return { format };
  checkOneStdin(paths);
  const formats = new Set<string | null>();
  for (const path of paths) {
    const found = await kindOf(path, signal);
    if (found?.kind !== "table") return null;
    formats.add(found.format);
  }
  const [first = null] = formats;
  // The reader finds out the format of each of several.
  return formats.size > 1 || first === null ? {} : { format: first };
}

/** The files that no plot may overwrite. */
function inputsOf(path: string, { by, mask }: Request): readonly Kept[] {
  return [
    { path, is: "the input itself" },
    ...(by === null ? [] : [{ path: by, is: "the file of --by" }]),
    ...(mask === null ? [] : [{ path: mask, is: "the file of --mask" }]),
  ];
}

/** Does work on a source and shows its progress. */
async function watched<T>(
  path: string,
  request: Request,
  signal: AbortSignal,
  work: (source: Source, choice: Choice, watch: Watch) => Promise<T>,
): Promise<T> {
  await using choice = await Choice.of({ ...request, joint: isSelected(request) });
  const source = await openSource(path, signal);
  const { watch, clear } = await progressBar(source.name, "B");
  try {
    return await work(source, choice, watch);
  } finally {
    clear();
  }
}

/** With --every or --tiles: prints a matrix of counts. */
async function segmented(
  path: string,
  request: SegmentedRequest,
  { json }: HistOptions,
  signal: AbortSignal,
): Promise<void> {
  const { countSegments } = await import("./segmented.ts");
  const { writeSegmentedCsv, writeSegmentedJson } = await import("./segmented-text.ts");
  const result = await watched(path, request, signal, (source, choice, watch) =>
    countSegments(source, request, choice, signal, watch),
  );
  await (json ? writeSegmentedJson(result) : writeSegmentedCsv(result));
  tellMachine(result.input, result.found, request.backend === "auto");
  if (result.damage !== null) tellDamage(result.input.name, result.damage);
}

/** With --explain: prints how the source would be counted. */
async function explained(
  path: string,
  request: Request,
  { json }: HistOptions,
  signal: AbortSignal,
): Promise<void> {
  const { explain } = await import("./explain.ts");
  const { explanationJson, toExplanation } = await import("./explained.ts");
  await using choice = await Choice.of(request);
  const found = await explain(await openSource(path, signal), request, choice, signal);
  await write(json ? explanationJson(found) : toExplanation(found));
  if (found.damage !== null) tellDamage(found.input.name, found.damage, "would be");
}
