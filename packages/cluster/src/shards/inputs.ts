import {
  adviceFor,
  type ColumnInfo,
  openInOrder,
  openTable,
  partitionTypes,
  type Table,
  widened,
  widerTypes,
} from "@polybin/columns";
import { PolybinError } from "@polybin/core";
import { suggestion } from "@polybin/core/backend";
import { type Opening, sourceOptions } from "./opening.ts";
import { type FileState, stateOf } from "./state.ts";
import type { TaskFile } from "./task.ts";
import { type HeadCheck, openValues, VALUES_FORMAT } from "./values.ts";

/** Options of the reader, as a task carries them. */
export type ReadJson = Readonly<Record<string, unknown>>;

/**
 * Opens the table of a file.
 * @param format null to find it out
 * @param head looks at the first bytes of plain values
 */
export async function openInput(
  location: string,
  format: string | null,
  read: ReadJson,
  opening: Opening,
  head?: HeadCheck,
): Promise<Table> {
  const source = sourceOptions(opening);
  if (format === VALUES_FORMAT) return openValues(location, read, source, head);
  const { threads } = opening;
  return openTable(location, {
    ...read,
    ...source,
    ...(format === null ? {} : { format }),
    ...(threads === undefined ? {} : { threads }),
  });
}

/** More files than this do not stay open while a task is planned. */
const MAX_OPEN = 16;

/** The open files of a task that is being planned. */
export class Inputs implements AsyncDisposable {
  readonly files: readonly TaskFile[];
  /** One for each file. */
  readonly tables: readonly Table[];
  readonly read: ReadJson;

  /** Whether the tables are still open, so that they can be read. There may be too many files for that. */
  readonly isOpen: boolean;

  private constructor(files: readonly TaskFile[], tables: readonly Table[], read: ReadJson) {
    this.isOpen = files.length <= MAX_OPEN;
    this.files = files;
    this.tables = tables;
    this.read = read;
  }

  /**
   * Opens files, in order.
   * @throws ERR_INPUT and others of `openTable`. No file stays open then.
   */
  static async open(
    locations: readonly string[],
    {
      format = null,
      read: given = {},
      head,
      ...opening
    }: Opening & {
      /** The format of all files. Null to find it out. */
      readonly format?: string | null;
      readonly read?: ReadJson;
      /** Looks at the first bytes of each file of plain values. */
      readonly head?: HeadCheck | undefined;
    } = {},
  ): Promise<Inputs> {
    if (locations.length === 0)
      throw new PolybinError("ERR_INPUT", "expected at least one file but received none");
    const partitions = partitionTypes(locations);
    const hasPartitions = format !== VALUES_FORMAT && Object.keys(partitions).length > 0;
    const own = hasPartitions ? { partitions, ...given } : given;
    const states: FileState[] = [];
    const open = (read: ReadJson, which: readonly number[]): Promise<Table[]> =>
      openInOrder(which, async (i) => {
        const location = locations[i]!;
        states[i] = await stateOf(location, opening);
        const table = await openInput(location, format, read, opening, head);
        if (locations.length <= MAX_OPEN) return table;
        // A table states its parts after it was closed, too.
        await table.close();
        if (table.parts === null) throw tooMany(table, locations.length);
        return table;
      });
    const first = await open(own, [...locations.keys()]);
    const wider = widerTypes(first);
    const read = Object.keys(wider).length > 0 ? { wider, ...own } : own;
    const tables = await widened(first, wider, (_, which) => open(read, which));
    const files = tables.map((table, i): TaskFile => {
      return { location: locations[i]!, format: table.format, ...states[i]! };
    });
    return new Inputs(files, tables, read);
  }

  /** The names of all columns of the first file that can be read. */
  get names(): readonly string[] {
    return this.tables[0]!.columns.filter(({ type }) => type.kind !== "refused").map(({ name }) => name);
  }

  /**
   * Returns a column by its name.
   * @throws ERR_INPUT if a file does not have it, or not with the same type. ERR_UNSUPPORTED if it cannot be read.
   */
  column(name: string): ColumnInfo {
    const found = this.tables.map((table) => columnOf(table, name));
    const [first] = found as [ColumnInfo];
    const other = found.findIndex(({ type }) => JSON.stringify(type) !== JSON.stringify(first.type));
    if (other < 0) return { ...first, nullable: found.some(({ nullable }) => nullable) };
    const [a, b] = [this.tables[0]!, this.tables[other]!];
    throw new PolybinError(
      "ERR_INPUT",
      `expected one type of column ${JSON.stringify(name)} in all files but it is ${kindOf(first)} in ${a.name} and ` +
        `${kindOf(found[other]!)} in ${b.name}${adviceFor(name, [a, b])}`,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.tables.map((table) => table.close()));
  }
}

function tooMany({ name }: Table, files: number): PolybinError {
  return new PolybinError(
    "ERR_INPUT",
    `expected at most ${MAX_OPEN} files if one of them can be read only once, as ${name}, but received ${files}; save it as a file first`,
  );
}

/** The most names that a message lists. */
const LISTED = 12;

/** Returns a column of a table. @throws ERR_INPUT, ERR_UNSUPPORTED */
export function columnOf({ columns, name: table }: Table, name: string): ColumnInfo {
  const found = columns.find((column) => column.name === name);
  if (found === undefined) {
    const names = columns.slice(0, LISTED).map((column) => JSON.stringify(column.name));
    const more = columns.length > LISTED ? ` and ${columns.length - LISTED} more` : "";
    if (columns.length === 0)
      throw new PolybinError(
        "ERR_INPUT",
        `expected a column ${JSON.stringify(name)} but ${table} has no columns`,
      );
    const near = suggestion(
      name,
      columns.map((column) => column.name),
    );
    throw new PolybinError(
      "ERR_INPUT",
      `${near === null ? "" : `${near} `}expected one of the columns ${names.join(", ")}${more} of ${table} but received ${JSON.stringify(name)}`,
    );
  }
  const { type } = found;
  if (type.kind !== "refused") return found;
  throw new PolybinError(
    "ERR_UNSUPPORTED",
    `${table}: column ${JSON.stringify(name)} cannot be counted: ${type.reason}`,
  );
}

function kindOf({ type }: ColumnInfo): string {
  return type.kind === "number" ? type.type : type.kind;
}
