import type { LogicalType } from "../../table/index.ts";
import { TypeGuess, type TypeName } from "../lib/values/index.ts";
import type { JsonValue } from "./lines.ts";

type Kind = "number" | "string" | "boolean" | "object" | "array";

/** Guesses the type of a field from some of its values. */
export class JsonGuess {
  readonly #texts = new TypeGuess();
  readonly #kinds = new Set<Kind>();

  see(value: JsonValue): void {
    if (value === null) return;
    const kind = kindOf(value);
    this.#kinds.add(kind);
    if (kind === "number" || kind === "boolean") this.#texts.see(String(value));
    // A text stays a text, unless it is a point in time.
    else if (kind === "string") this.#texts.see(isNumeric(value as string) ? "text" : (value as string));
  }

  type(stated: TypeName | undefined): LogicalType {
    if (stated === undefined) {
      const nested = this.#kinds.has("object") || this.#kinds.has("array");
      if (nested)
        return {
          kind: "refused",
          reason: `values are nested (${[...this.#kinds].join(", ")}); pass its type as "string" for their JSON`,
        };
      if (this.#kinds.size > 1)
        return {
          kind: "refused",
          reason: `values are of several types (${[...this.#kinds].join(", ")}); pass its type as "string"`,
        };
    }
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
