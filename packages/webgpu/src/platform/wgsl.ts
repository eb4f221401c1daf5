import type { FieldType, Struct } from "@polybin/core/backend";
import { wrong } from "../base/index.ts";

/** WGSL's types for fields of a uniform. A uniform has no booleans, so a kernel compares with 0. */
const TYPES: Readonly<Partial<Record<FieldType, string>>> = {
  u32: "u32",
  i32: "i32",
  f32: "f32",
  bool: "u32",
};

/** Declares a struct in WGSL; `pack` writes its bytes. @throws ERR_INPUT if WGSL lacks a field's type. */
export function declared({ name, fields }: Struct): string {
  const lines = Object.entries(fields).map(([field, type]) => {
    const own = TYPES[type];
    if (own !== undefined) return `  ${field}: ${own},\n`;
    throw wrong(`expected a type that WGSL has for ${name}.${field} but received ${type}`);
  });
  return `struct ${name} {\n${lines.join("")}}\n`;
}

/** Declares numbers that are no overrides in WGSL. */
export function constantsOf(of: Readonly<Record<string, number>>): string {
  return Object.entries(of)
    .map(([name, value]) => `const ${name} = ${value}u;\n`)
    .join("");
}
