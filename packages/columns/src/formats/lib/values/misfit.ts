import { type LogicalType, quoted } from "../../../table/index.ts";
import { isFloat } from "./numbers.ts";
import { nameOfType, type TypeName } from "./text-type.ts";
import { type Instant, readInstant } from "./times.ts";

/** Describes a text that does not fit its column's type, and names the type that would take it. */
export function misfit(column: string, type: LogicalType, text: string): string {
  const fits = typeFor(type, text.trim());
  return `expected ${nameOfType(type)} in column ${quoted(column)} but found ${quoted(text)}; pass types: { ${quoted(column)}: "${fits}" }`;
}

const I64_MAX = 2n ** 63n - 1n;

function typeFor(type: LogicalType, text: string): TypeName {
  if (type.kind === "number") {
    if (/^[+-]?\d{1,20}$/.test(text)) {
      const value = BigInt(text.replace("+", ""));
      if (value >= -I64_MAX - 1n && value <= I64_MAX && type.type !== "i64") return "i64";
      if (value > I64_MAX && value < 2n ** 64n && type.type !== "u64" && type.type !== "i64") return "u64";
    }
    if (isFloat(text) && type.type !== "f64") return "f64";
  }
  const instant: Instant = { seconds: 0, nanoseconds: 0, digits: 0, hasOffset: false };
  if (
    type.kind === "timestamp" &&
    readInstant(text, instant) &&
    instant.hasOffset === (type.timezone !== null)
  ) {
    return instant.digits > 6 ? "timestamp[ns]" : "timestamp[us]";
  }
  return "string";
}
