import { type LogicalType, MAX_STRUCTURES } from "../../table/index.ts";
import { TypeGuess, type TypeName } from "../lib/values/index.ts";
import type { JsonValue } from "./lines.ts";

type Kind = "number" | "string" | "boolean" | "object" | "array";

/** Fields of an object whose keys are names. An object with more maps data to data. */
const MAX_FIELDS = 1024;

/** Guesses the type of a field from some of its values. */
export class JsonGuess {
  readonly #texts = new TypeGuess();
  readonly #kinds = new Set<Kind>();
  readonly #depth: number;
  /** The fields of the objects among the values, in the order in which they appear. */
  readonly fields: Map<string, JsonGuess> = new Map();

  /** @param depth the number of objects around it, the line's included */
  constructor(depth = 1) {
    this.#depth = depth;
  }

  see(value: JsonValue): void {
    if (value === null) return;
    const kind = kindOf(value);
    this.#kinds.add(kind);
    if (kind === "number" || kind === "boolean") this.#texts.see(String(value));
    // A text stays a text, unless it is a point in time.
    else if (kind === "string") this.#texts.see(isNumeric(value as string) ? "text" : (value as string));
    else if (kind === "object" && this.#depth <= MAX_STRUCTURES) {
      for (const [key, inner] of Object.entries(value)) this.field(key).see(inner);
    }
  }

  /** Returns the guess of a field, which is new if no object had it yet. */
  field(key: string): JsonGuess {
    const known = this.fields.get(key) ?? new JsonGuess(this.#depth + 1);
    this.fields.set(key, known);
    return known;
  }

  /** Whether an object was seen. */
  get hasObjects(): boolean {
    return this.#kinds.has("object");
  }

  /** Whether its values are objects whose fields are columns. */
  get isStructure(): boolean {
    return this.mayBeStructure && (this.#kinds.size > 0 || this.fields.size > 0);
  }

  /** The same, or none was seen. */
  get mayBeStructure(): boolean {
    const areObjects = this.#kinds.size === 0 || (this.#kinds.size === 1 && this.#kinds.has("object"));
    return areObjects && this.fields.size <= MAX_FIELDS && this.#depth <= MAX_STRUCTURES;
  }

  type(stated: TypeName | undefined): LogicalType {
    if (stated !== undefined) return this.#texts.type(stated);
    if (this.isStructure) {
      return {
        kind: "refused",
        reason:
          'values are objects, and only their fields are columns; pass its type as "string" for their JSON',
      };
    }
    const kinds = [...this.#kinds].join(", ");
    if (this.#kinds.has("object") || this.#kinds.has("array"))
      return {
        kind: "refused",
        reason: `values are nested (${kinds}); pass its type as "string" for their JSON`,
      };
    if (this.#kinds.size > 1)
      return {
        kind: "refused",
        reason: `values are of several types (${kinds}); pass its type as "string"`,
      };
    return this.#texts.type(stated);
  }
}

const isNumeric = (text: string): boolean =>
  new RegExp(/^\s*[+-]?(\d|\.\d|nan|inf|true|false)/i).test(text) && !/^\d{4}-\d{2}-\d{2}/.test(text.trim());

function kindOf(value: Exclude<JsonValue, null>): Kind {
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  return type === "bigint" ? "number" : (type as Kind);
}
