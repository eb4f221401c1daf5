import type { LogicalType } from "@polybin/columns";
import { type Axis, boolean, PolybinError } from "@polybin/core";
import { axisBeforehand, checkNames, checkObject, expected, SAMPLE_TRAITS } from "@polybin/core/backend";
import { checkedChoice, checkedNumber, checkedText } from "./checked.ts";

/** The names of a logical type, apart from its kind. */
const TYPE_NAMES: { readonly [kind in Exclude<LogicalType["kind"], "refused">]: readonly string[] } = {
  number: ["type"],
  boolean: [],
  timestamp: ["unit", "timezone"],
  date: ["unit"],
  time: ["unit"],
  decimal: ["scale", "precision"],
  string: [],
};
const TIME_UNITS = ["s", "ms", "us", "ns"];
const DATE_UNITS = ["day", "ms"];

/** Checks the type of a column. @throws ERR_INPUT, ERR_UNSUPPORTED for one that cannot be read */
export function checkType(given: unknown): LogicalType {
  checkObject(given, { of: "type of a column" });
  const type = given as { readonly kind: unknown; readonly reason?: unknown };
  if (type.kind === "refused") {
    throw new PolybinError(
      "ERR_UNSUPPORTED",
      `expected a column that can be read but it cannot: ${String(type.reason)}`,
    );
  }
  const kind = checkedChoice(
    type.kind,
    Object.keys(TYPE_NAMES) as (keyof typeof TYPE_NAMES)[],
    "kind of a column",
  );
  checkNames(given as object, ["kind", ...TYPE_NAMES[kind]], { of: `a type of kind ${kind}` });
  const values = given as Record<string, unknown>;
  switch (kind) {
    case "boolean":
    case "string":
      return { kind };
    case "number":
      return { kind, type: checkedChoice(values.type, SAMPLE_TYPES, "type of a number") };
    case "timestamp": {
      const timezone = values.timezone === null ? null : checkedText(values.timezone, "timezone");
      return { kind, unit: checkedChoice(values.unit, TIME_UNITS, "unit") as "s", timezone };
    }
    case "date":
      return { kind, unit: checkedChoice(values.unit, DATE_UNITS, "unit") as "day" };
    case "time":
      return { kind, unit: checkedChoice(values.unit, TIME_UNITS, "unit") as "s" };
    case "decimal":
      return {
        kind,
        scale: checkedNumber(values.scale, "scale of a decimal", -MOST_DIGITS, MOST_DIGITS),
        precision: checkedNumber(values.precision, "precision of a decimal", 1, MOST_DIGITS),
      };
  }
}

const SAMPLE_TYPES = Object.keys(SAMPLE_TRAITS) as (keyof typeof SAMPLE_TRAITS)[];
/** Decimal digits of the widest decimal of any format. */
const MOST_DIGITS = 76;

/** Checks an axis. Booleans have their own, and all other values an ordered one. @throws ERR_AXIS, ERR_LIMIT, ERR_UNSUPPORTED */
export function checkAxis(given: unknown, type: LogicalType): Axis {
  if (type.kind === "string") {
    throw new PolybinError("ERR_UNSUPPORTED", "expected columns of numbers for joint but received strings");
  }
  if (type.kind === "boolean") {
    checkNames(given as object, ["type", "bins"], { of: "the axis of a boolean" });
    const axis = boolean();
    if ((given as Axis).type !== axis.type)
      throw expected("ERR_AXIS", "axis.type", axis.type, (given as Axis).type);
    return axis;
  }
  const axis = axisBeforehand("f64", { axis: given as Axis })!;
  if (axis.type === "integer" || axis.type === "regular" || axis.type === "variable") return axis;
  throw expected("ERR_AXIS", "axis.type", "integer, regular or variable", axis.type);
}
