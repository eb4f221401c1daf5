import type { Inputs, TaskResult } from "@polybin/cluster/shards";
import { isPolybinError, PolybinError } from "@polybin/core";
import type { WorkRequest } from "../options/index.ts";
import type { NotRead } from "../output/index.ts";
import { type Counted, countFiles, type TableInput, type What } from "./count.ts";

type Hist = Extract<TaskResult, { readonly count: "hist" }>;

/**
 * Counts every column of tables except that of the groups.
 * @returns the counts, and the columns that cannot be counted
 * @throws ERR_UNSUPPORTED if that is none
 */
export async function countAll(
  paths: readonly string[],
  request: WorkRequest & TableInput,
  what: What,
  signal: AbortSignal,
): Promise<Counted & { readonly notRead: readonly NotRead[] }> {
  const found: { strings: readonly string[]; others: readonly string[]; notRead: readonly NotRead[] } = {
    strings: [],
    others: [],
    notRead: [],
  };
  const columnsOf = (inputs: Inputs): What => {
    const names = inputs.names.filter((name) => name !== what.by);
    found.notRead = refusedIn(inputs);
    found.strings = names.filter((name) => inputs.column(name).type.kind === "string");
    found.others = names.filter((name) => !found.strings.includes(name));
    if (names.length === 0) throw nothing(inputs, found.notRead);
    return { ...what, columns: names };
  };
  try {
    return { ...(await countFiles(paths, request, columnsOf, signal)), notRead: found.notRead };
  } catch (error) {
    if (!isTooMany(error) || found.strings.length + found.others.length === 1) throw error;
  }
  // One of the columns of strings has too many different ones. The others are counted without it.
  const parts: Counted[] = [];
  const left: NotRead[] = [];
  for (const columns of [found.others, ...found.strings.map((name) => [name])]) {
    if (columns.length === 0) continue;
    try {
      parts.push(await countFiles(paths, request, { ...what, columns }, signal));
    } catch (error) {
      if (!isTooMany(error)) throw error;
      left.push({ name: columns[0]!, reason: error.message });
    }
  }
  return { ...joined(parts, left), notRead: [...found.notRead, ...left] };
}

const isTooMany = (error: unknown): error is PolybinError =>
  isPolybinError(error) && error.code === "ERR_LIMIT";

/** The columns of all parts, as if they were counted at once. */
function joined(parts: readonly Counted[], left: readonly NotRead[]): Counted {
  const [first] = parts;
  if (first === undefined) throw new PolybinError("ERR_LIMIT", left[0]!.reason);
  const columns = parts.flatMap(({ result }) => (result as Hist).columns);
  const sum = (of: keyof Counted["timings"]): number =>
    parts.reduce((all, { timings }) => all + timings[of]!, 0);
  return {
    task: first.task,
    result: { ...(first.result as Hist), columns },
    work: parts.find(({ work }) => work !== null)?.work ?? null,
    timings: {
      readMs: sum("readMs"),
      uploadMs: sum("uploadMs"),
      kernelMs: sum("kernelMs"),
      totalMs: sum("totalMs"),
    },
  };
}

function refusedIn({ tables }: Inputs): NotRead[] {
  return tables[0]!.columns.flatMap(({ name, type }) =>
    type.kind === "refused" ? [{ name, reason: type.reason }] : [],
  );
}

function nothing({ tables }: Inputs, notRead: readonly NotRead[]): PolybinError {
  const { name } = tables[0]!;
  const [first] = notRead;
  if (first === undefined)
    return new PolybinError("ERR_INPUT", `expected a table with columns but ${name} has none`);
  return new PolybinError(
    "ERR_UNSUPPORTED",
    `expected a table with a column that can be counted but ${name} has none: ${first.name}: ${first.reason}`,
  );
}
