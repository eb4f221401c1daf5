/** A field that lines may have: one of a line's object, or one of an object inside it. */
export interface Field {
  readonly key: string;
  /** The index of the field whose object has it, or `LINE`. It comes before its fields. */
  readonly parent: number;
  /** The name of its column: its keys from the line on, joined by points. */
  readonly name: string;
}

/** The parent of the fields that lines have themselves. */
export const LINE = -1;
