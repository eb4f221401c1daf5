import { MAX_COLUMNS } from "../../../table/index.ts";
import { MAX_DEPTH, MAX_FIELDS } from "../limits.ts";
import type { Flat, FlatTable } from "./flat.ts";

/** Thrown for a schema with too many columns. */
export class TooManyColumns extends Error {
  readonly columns: number;

  constructor(columns: number) {
    super(`a schema has ${columns} columns`);
    this.columns = columns;
  }
}

const UNION = 14;
/** The number of the last type, which is that of lists with large views. */
const LAST_TYPE = 26;

/**
 * Walks through a schema, because flechette trusts its lengths and positions. Fields that contain themselves exceed the
 * limits of this walk.
 * @throws Error if the schema is damaged, TooManyColumns above MAX_COLUMNS columns.
 */
export function checkFields(flat: Flat, schema: FlatTable): void {
  let left = MAX_FIELDS;
  const walk = (reference: number | null, depth: number): void => {
    const { at, length } = flat.vector(reference, 4);
    if (depth === 0 && length > MAX_COLUMNS) throw new TooManyColumns(length);
    left -= length;
    if (left < 0) throw new Error(`a schema has more than ${MAX_FIELDS} fields`);
    if (depth > MAX_DEPTH) throw new Error(`fields of a schema lie more than ${MAX_DEPTH} levels deep`);
    for (let i = 0; i < length; i++) {
      const field = flat.table(at + 4 * i);
      text(flat, flat.field(field, 0));
      const number = flat.uint8(flat.field(field, 2), 0);
      if (number > LAST_TYPE)
        throw new Error(`a field has the type ${number}, and the last one is ${LAST_TYPE}`);
      const type = flat.field(field, 3);
      if (type !== null) {
        const table = flat.table(type);
        if (number === UNION) flat.vector(flat.field(table, 1), 4);
      }
      const dictionary = flat.field(field, 4);
      if (dictionary !== null) {
        const index = flat.field(flat.table(dictionary), 1);
        if (index !== null) flat.table(index);
      }
      walk(flat.field(field, 5), depth + 1);
      metadata(flat, flat.field(field, 6));
    }
  };
  walk(flat.field(schema, 1), 0);
  metadata(flat, flat.field(schema, 2));
}

function text(flat: Flat, reference: number | null): void {
  flat.vector(reference, 1);
}

function metadata(flat: Flat, reference: number | null): void {
  const { at, length } = flat.vector(reference, 4);
  for (let i = 0; i < length; i++) {
    const pair = flat.table(at + 4 * i);
    text(flat, flat.field(pair, 0));
    text(flat, flat.field(pair, 1));
  }
}
