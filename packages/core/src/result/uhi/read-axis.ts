import {
  type Axis,
  boolean,
  categoryFrom,
  circular,
  integer,
  regularSpaced,
  variable,
} from "../../axis/index.ts";
import { expected } from "../../base/index.ts";
import type { Json } from "./json.ts";
import type { Carried } from "./schema.ts";
import { checkInline } from "./storage.ts";
import { codesAlong } from "./write-axis.ts";

/** An axis that was read. */
export interface ReadAxis {
  readonly axis: Axis;
  /**
   * The code of each index of the schema's arrays along this axis: the bins, underflow and overflow. No index has the
   * code of NaN.
   */
  readonly codes: readonly number[];
}

const TYPES = ["regular", "variable", "category_int", "category_str", "boolean"];

/**
 * Reads an axis of any type of the schema. Polybin's own notes name the axes that the schema does not tell apart.
 * @param own the notes that polybin wrote
 * @throws ERR_INPUT for JSON that the schema does not allow; ERR_AXIS or ERR_LIMIT for an invalid axis.
 */
export function readAxis(json: Json, name: string, own: Json, { writers }: Carried): ReadAxis {
  const isInteger = own.axis === "integer" || writers["boost-histogram"]?.orig_type === "Integer";
  switch (json.type) {
    case "boolean":
      return { axis: boolean(), codes: [0, 1] };
    case "category_int":
    case "category_str": {
      const axis = categoryFrom(categoriesOf(json, name), (own.firstCode ?? 0) as number);
      return { axis, codes: codesAlong(axis.bins, { underflow: false, overflow: flag(json, "flow", name) }) };
    }
    case "regular":
    case "variable": {
      const ends = { underflow: flag(json, "underflow", name), overflow: flag(json, "overflow", name) };
      const axis = intervals(json, name, own, isInteger, flag(json, "circular", name));
      return { axis, codes: codesAlong(axis.bins, ends) };
    }
    default:
      throw expected("ERR_INPUT", `${name}.type`, `one of ${TYPES.join(", ")}`, json.type);
  }
}

/** Reads an axis of intervals. */
function intervals(json: Json, name: string, own: Json, isInteger: boolean, isCircular: boolean): Axis {
  const open = own.closed === false ? { closed: false } : {};
  if (json.type === "variable") {
    if (isCircular) {
      throw expected("ERR_UNSUPPORTED", `${name}.circular`, "false for an axis of type variable", true);
    }
    checkInline(json.edges, `${name}.edges`);
    return variable(withInfinity(json.edges as number[], own.infinite), open);
  }
  const [lower, upper, bins] = [json.lower as number, json.upper as number, json.bins as number];
  if (isCircular) return circular(bins, lower, upper);
  if (!isInteger) return regularSpaced(bins, lower, upper, own.spacing === "f32" ? "f32" : "f64", open);
  if (bins !== upper - lower) {
    throw expected("ERR_INPUT", `${name}.bins`, `${upper - lower}, one per integer,`, bins);
  }
  return integer(lower, upper);
}

/** JSON has no infinite edges. Polybin writes the largest number for them, and a note. */
function withInfinity(edges: readonly number[], infinite: unknown): readonly number[] {
  if (typeof infinite !== "string" || !Array.isArray(edges)) return edges;
  return edges.map((edge, i) => {
    if (i === 0 && infinite.includes("lower")) return -Infinity;
    return i === edges.length - 1 && infinite.includes("upper") ? Infinity : edge;
  });
}

function categoriesOf(json: Json, name: string): readonly number[] | readonly string[] {
  const { categories } = json;
  const type = json.type === "category_str" ? "string" : "number";
  if (!Array.isArray(categories) || categories.some((value) => typeof value !== type)) {
    throw expected("ERR_INPUT", `${name}.categories`, `an array of ${type}s`, categories);
  }
  return categories;
}

function flag(json: Json, key: string, name: string): boolean {
  const value = json[key];
  if (typeof value !== "boolean") throw expected("ERR_INPUT", `${name}.${key}`, "true or false", value);
  return value;
}
