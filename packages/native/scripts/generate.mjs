// Writes native/generated/border.h: C++ for what src/border describes, and for the numbers of src/platform/limits.ts.
import { write } from "@polybin/addon/text";
import { ENUMERATIONS, NAMED, STRUCTS } from "../src/border/index.ts";
import * as limits from "../src/platform/limits.ts";

const CPP = {
  u32: "uint32_t",
  i32: "int32_t",
  bool: "uint32_t",
  u64: "uint64_t",
  i64: "int64_t",
  f64: "double",
};

const enums = ENUMERATIONS.map(
  ({ enumeration, values }) => `enum class ${enumeration} : uint32_t { ${values.join(", ")} };`,
);
const structs = STRUCTS.flatMap(({ name: struct, fields, bytes, offsets }) => [
  `struct ${struct} {`,
  ...Object.entries(fields).map(([name, type]) => `  ${NAMED[name]?.enumeration ?? CPP[type]} ${name};`),
  "};",
  `static_assert(sizeof(${struct}) == ${bytes});`,
  ...Object.keys(fields).map((name) => `static_assert(offsetof(${struct}, ${name}) == ${offsets[name]});`),
]);
write(
  new URL("../native/generated/border.h", import.meta.url),
  `// Made by scripts/generate.mjs: src/border and src/platform/limits.ts say what each is.
#pragma once
#include <cstddef>
#include <cstdint>

namespace polybin {

namespace limits {

${Object.entries(limits)
  .map(([name, value]) => `constexpr uint32_t ${name} = ${value};`)
  .join("\n")}

}  // namespace limits

${[...enums, ...structs].join("\n")}

}  // namespace polybin
`,
);
