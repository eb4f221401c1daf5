// C++ of what src/border/describe.ts calls an enumeration and a described struct.

const CPP = {
  u32: "uint32_t",
  i32: "int32_t",
  f32: "float",
  // A word of 0 or 1.
  bool: "uint32_t",
  u64: "uint64_t",
  i64: "int64_t",
  f64: "double",
};

export const enumOf = ({ enumeration, values }) =>
  `enum class ${enumeration} : uint32_t { ${values.join(", ")} };`;

/** The struct, as long and with its fields where TypeScript packs them; "" where it has none. */
export function structOf({ struct: { name, offsets, bytes }, parts }) {
  const fields = Object.entries(parts);
  if (fields.length === 0) return "";
  const lines = fields.map(([field, part]) => `  ${part.enumeration ?? CPP[part] ?? CPP.u32} ${field};\n`);
  const places = fields.map(
    ([field]) => `static_assert(offsetof(${name}, ${field}) == ${offsets[field]});\n`,
  );
  return `struct ${name} {\n${lines.join("")}};\nstatic_assert(sizeof(${name}) == ${bytes});\n${places.join("")}`.trim();
}

/** The words that may be only some numbers, as platform/expect.h's Range. */
export function rangesOf({ struct: { offsets }, parts }) {
  return Object.entries(parts).flatMap(([field, part]) => {
    const range = part === "bool" ? [0, 1] : typeof part === "string" ? null : rangeOf(part);
    return range === null ? [] : [`{"${field}", ${offsets[field]}, ${range.join(", ")}}`];
  });
}

function rangeOf(part) {
  return part.enumeration === undefined ? [part.least, part.most] : [0, part.values.length - 1];
}
