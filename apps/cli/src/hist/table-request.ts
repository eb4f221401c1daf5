import { PolybinError } from "@polybin/core";
import { SAMPLE_TYPES } from "@polybin/core/backend";
import {
  type BinsText,
  binsText,
  both,
  checkOnce,
  checkOneFormat,
  givenShard,
  oneOf,
  type PartRequest,
  parsePart,
  parseReading,
  parseView,
  parseWork,
  refuse,
  refuseReading,
  type View,
  type WorkRequest,
} from "../options/index.ts";
import type { TableInput } from "../tables/index.ts";
import type { HistOptions } from "./request.ts";

/** A count of columns, or of a shard of plain values, checked as far as possible before a byte is read. */
export interface TableRequest extends PartRequest, WorkRequest, TableInput {
  /** Names of columns: none for all of a table, and null for plain values. */
  readonly columns: readonly string[] | null;
  /** Name of the column of the groups. */
  readonly by: string | null;
  readonly bins: BinsText;
  readonly view: View;
}

/** Reads the options. @throws ERR_INPUT, ERR_AXIS, ERR_UNSUPPORTED or ERR_LIMIT */
export function parseTable(options: HistOptions): TableRequest {
  const { column, by, type } = options;
  const isShard = column === undefined && givenShard(options) !== null;
  const first = isShard ? "--shard" : column === undefined ? "a table" : "--column";
  refuse(
    options,
    first,
    ["mask", "every", "tiles", "explain", "raw", "lenient"],
    "counts pictures and plain values",
  );
  if (options.channel !== "all") throw both(first, "--channel", "counts pictures");
  checkOneFormat(options);
  if (column !== undefined && type !== undefined) throw both("--column", "--type", "is for plain values");
  if (isShard) refuseReading(options, "--column");
  if (isShard && by !== undefined) throw new PolybinError("ERR_INPUT", "expected --column with --by");
  checkOnce(column ?? [], "--column");
  const part = parsePart(options);
  if (part.extent) refuse(options, "--extent", ["edges", "by"], "needs the extent first");
  return {
    columns: column ?? (isShard ? null : []),
    by: by ?? null,
    type: type === undefined ? null : oneOf(type, SAMPLE_TYPES, "--type"),
    reading: parseReading(options),
    bins: binsText(options),
    ...part,
    ...parseWork(options),
    view: parseView(options),
  };
}
