import { PolybinError } from "@polybin/core";
import type { FieldType, Struct } from "@polybin/core/backend";

/** What fields are in a uniform, which has no booleans: a kernel compares with 0. */
const TYPES: Readonly<Partial<Record<FieldType, string>>> = {
  u32: "u32",
  i32: "i32",
  f32: "f32",
  bool: "u32",
};

/** A struct as WGSL declares it; `pack` writes its bytes. @throws ERR_INPUT for a type that WGSL has not. */
export function declared({ name, fields }: Struct): string {
  const lines = Object.entries(fields).map(([field, type]) => {
    const own = TYPES[type];
    if (own !== undefined) return `  ${field}: ${own},\n`;
    throw new PolybinError("ERR_INPUT", `expected no ${type} for ${name}.${field}: WGSL has none`, {
      backend: "webgpu",
    });
  });
  return `struct ${name} {\n${lines.join("")}}\n`;
}

/** Numbers as WGSL declares them where they are no overrides. */
export function constantsOf(of: Readonly<Record<string, number>>): string {
  return Object.entries(of)
    .map(([name, value]) => `const ${name} = ${value}u;\n`)
    .join("");
}
