// C++ for the enumerations and the structs of src/border/describe.ts.

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

/** Returns the struct with the size and the offsets that TypeScript uses, or "" if it has no fields. */
export function structOf({ struct: { name, offsets, bytes }, parts }) {
  const fields = Object.entries(parts);
  if (fields.length === 0) return "";
  const lines = fields.map(([field, part]) => `  ${part.enumeration ?? CPP[part] ?? CPP.u32} ${field};\n`);
  const places = fields.map(
    ([field]) => `static_assert(offsetof(${name}, ${field}) == ${offsets[field]});\n`,
  );
  return `struct ${name} {\n${lines.join("")}};\nstatic_assert(sizeof(${name}) == ${bytes});\n${places.join("")}`.trim();
}

/** Returns the words that accept only certain numbers, as Range of platform/expect.h. */
export function rangesOf({ struct: { offsets }, parts }) {
  return Object.entries(parts).flatMap(([field, part]) => {
    const range = part === "bool" ? [0, 1] : typeof part === "string" ? null : rangeOf(part);
    return range === null ? [] : [`{"${field}", ${offsets[field]}, ${range.join(", ")}}`];
  });
}

function rangeOf(part) {
  return part.enumeration === undefined ? [part.least, part.most] : [0, part.values.length - 1];
}
