// Writes C++ to native/generated, sorted into native's folders, for everything that TypeScript defines: constants, the
// structs and messages that cross the border (src/border), and the table of the kernels (src/kernels). It reads tsc's
// output, so it runs after tsc.
import { existsSync } from "node:fs";
import { limits } from "@polybin/core/backend";
import * as own from "../dist/base/limits.js";
import { ENUMERATIONS, MESSAGES, STRUCTS } from "../dist/border/index.js";
import * as found from "../dist/kernels/index.js";
import { readersOf, structOfMessage } from "./messages.mjs";
import { enumOf, rangesOf, structOf } from "./structs.mjs";
import { inCamelCase, removeOthers, write } from "./text.mjs";

const folder = new URL("../native/generated/", import.meta.url);
const withSlug = (kernel) => ({ ...kernel, slug: kernel.algorithm.slug });
const countKernels = found.countKernels.map(withSlug);
const sumsKernels = found.sumsKernels.map(withSlug);
const kernels = [...countKernels, ...sumsKernels];

function file(name, includes, body) {
  const lines = includes.map((of) => `#include ${of}\n`).join("");
  const guard = /\.(h|cuh)$/.test(name) ? "#pragma once\n" : "";
  write(
    new URL(name, folder),
    `// Made by scripts/generate.mjs; src/border and src/kernels say what each is.\n${guard}${lines}\nnamespace polybin {\n\n${body.trim()}\n\n}  // namespace polybin\n`,
  );
}

const constants = (of) =>
  Object.keys(of).length > 0 &&
  `namespace limits {\n\n${Object.entries(of)
    .map(([name, value]) => `constexpr uint32_t ${name} = ${value};\n`)
    .join("")}\n}  // namespace limits`;

// Core's constants that several kernels or the addon need. A kernel's own constants are in its folder.
const SHARED = [
  ...[
    "U8_MAX",
    "U16_MAX",
    "U32_MAX",
    "WORD_BYTES",
    "BYTE_VALUES",
    "HALF_VALUES",
    "NIBBLE_VALUES",
    "MAX_BINS",
    "MAX_CELLS",
    "MAX_JOINT_COLUMNS",
  ],
  ...[
    "WARP_THREADS",
    "BLOCK_THREADS",
    "VECTOR_BYTES",
    "FLOW_ROWS",
    "RANK_PADDING",
    "SEGMENT_ALIGN",
    "MERGE_THREADS",
    "MERGE_CELLS",
  ],
  ...["GPU_PIECE_BYTES", "GPU_CODES", "GPU_PADDING_BYTES", "UNROLL_MAX"],
];
const shared = Object.fromEntries(SHARED.map((name) => [name, limits[name]]));
file("limits.cuh", ["<cstdint>"], constants({ ...shared, ...own }));

file(
  "structs.cuh",
  ["<cstddef>", "<cstdint>"],
  [...ENUMERATIONS.map(enumOf), ...STRUCTS.map(structOf)].join("\n\n"),
);

file(
  "messages.h",
  ["<atomic>", "<string>", "<vector>", "", '"generated/structs.cuh"', '"platform/arrays.h"'].filter(Boolean),
  MESSAGES.map(structOfMessage).join("\n\n"),
);
file(
  "boundary/readers.h",
  ['"boundary/reader.h"', '"generated/messages.h"'],
  `// Each checks types, lengths of structs and what their words may be: what the numbers come to is for run/checks.h.\n// @throws Failure\n${MESSAGES.map(({ message }) => `void read(const Reader &, ${message} &);`).join("\n")}`,
);
file("boundary/readers.cc", ['"generated/boundary/readers.h"'], readersOf(MESSAGES));

/** Whether a kernel receives a struct of its own in addition to the common arguments. */
const hasOwn = ({ own: of }) => Object.keys(of.parts).length > 0;
const ownParameter = (kernel) => (hasOwn(kernel) ? `const ${kernel.own.struct.name} &, ` : "");
const ownArgument = (kernel) =>
  hasOwn(kernel) ? `*static_cast<const ${kernel.own.struct.name} *>(own), ` : "";
const typeOf = ({ reads, segments, columns }) =>
  segments ? "SEGMENTS" : columns ? "COLUMNS" : { samples: "SAMPLES", codes: "CODES", values: "SUMS" }[reads];

// A source that includes this file defines the macros, such as a test with its own kernels.
write(
  new URL("kernels.inc", folder),
  `// Made by scripts/generate.mjs: for each kernel its launch function and the parameter that it has of its own.\n${kernels
    .map((kernel) => {
      const name = inCamelCase(kernel.slug);
      const parameter = hasOwn(kernel) ? `, const struct ${kernel.own.struct.name} &,` : "";
      return `${typeOf(kernel)}_KERNEL(${name}${parameter})\n`;
    })
    .join("")}`,
);

const HANDED = {
  samples: "const Pixels &of, const Lowering &lowering, const Plan &plan",
  codes: "const Codes &of, const Plan &plan",
  values: "const WeightedInput &of, const WeightedPlan &plan",
};
const PASSED = { samples: "of, lowering, plan", codes: "of, plan", values: "of, plan" };
const CHECKED = { samples: "CountShape", codes: "CountShape", values: "WeightedPlan" };
const checks = ({ slug }) => existsSync(new URL(`../src/kernels/${slug}/check.cc`, import.meta.url));

const checkOf = ({ own: of }) => `check${of.struct.name}`;

const SEGMENTED = "const Segments &segments, const Rows &rows";

const COLUMNED = "const Joint &of, const Plan &plan";

/** A kernel's functions. A kernel that also counts segments, or several columns, has two. */
const launchOf = (kernel) =>
  [
    [HANDED[kernel.reads], []],
    ...(kernel.segments ? [[HANDED[kernel.reads], [SEGMENTED]]] : []),
    ...(kernel.columns ? [[COLUMNED, []]] : []),
  ]
    .map(([first, more]) => {
      const handed = [first, ...(hasOwn(kernel) ? [ownParameter(kernel).slice(0, -2)] : []), ...more];
      return `cudaError_t ${inCamelCase(kernel.slug)}(${[...handed, "cudaStream_t"].join(", ")});`;
    })
    .join("\n");

function declared(kernel) {
  return [
    hasOwn(kernel) ? `struct ${kernel.own.struct.name};\n` : "",
    `${launchOf(kernel)}\n`,
    checks(kernel)
      ? `void ${checkOf(kernel)}(const ${CHECKED[kernel.reads]} &${hasOwn(kernel) ? `, const ${kernel.own.struct.name} &` : ""});\n`
      : "",
  ].join("");
}

function row(kernel) {
  const name = inCamelCase(kernel.slug);
  const launch = `[](${HANDED[kernel.reads]}, const void *${hasOwn(kernel) ? "own" : ""}, cudaStream_t stream) {\n       return ${name}(${PASSED[kernel.reads]}, ${ownArgument(kernel)}stream);\n     }`;
  const check = checks(kernel)
    ? `[](const ${CHECKED[kernel.reads]} &of, const void *${hasOwn(kernel) ? "own" : ""}) { ${checkOf(kernel)}(of${hasOwn(kernel) ? `, *static_cast<const ${kernel.own.struct.name} *>(own)` : ""}); }`
    : "nullptr";
  const ranges = rangesOf(kernel.own);
  const words = ranges.length === 0 ? "nullptr" : `${name}Ranges`;
  const bytes = hasOwn(kernel) ? kernel.own.struct.bytes : 0;
  const head = `"${kernel.slug}", ${bytes}, ${words}, ${ranges.length}`;
  if (kernel.reads === "values") return `    {${head},\n     ${launch},\n     ${check}},\n`;
  const isCodes = kernel.reads === "codes";
  const facts = isCodes ? "false, false" : `${kernel.narrow}, ${kernel.delivers}`;
  const segments = kernel.segments
    ? `[](${HANDED[kernel.reads]}, const void *${hasOwn(kernel) ? "own" : ""}, ${SEGMENTED}, cudaStream_t stream) {\n       return ${name}(${PASSED[kernel.reads]}, ${ownArgument(kernel)}segments, rows, stream);\n     }`
    : "nullptr";
  const columns = kernel.columns
    ? `[](${COLUMNED}, const void *${hasOwn(kernel) ? "own" : ""}, cudaStream_t stream) {\n       return ${name}(of, plan, ${ownArgument(kernel)}stream);\n     }`
    : "nullptr";
  return `    {${head},\n     ${isCodes ? `nullptr, ${launch}` : `${launch}, nullptr`},\n     ${segments},\n     ${columns},\n     ${facts}, ${isCodes ? needsOf(kernel) : "{}"},\n     ${check}},\n`;
}

/** Returns the initializer of CodesNeeds. */
function needsOf({ threads, cells, shared: { bytes, table }, partials }) {
  const TABLE_THREADS = { block: 0, warp: limits.WARP_THREADS, thread: 1 };
  return `{${[
    threads.multipleOf,
    threads.most,
    cells?.most ?? limits.MAX_BINS,
    cells?.inAll ?? false,
    bytes ?? 0,
    TABLE_THREADS[table?.of ?? "block"],
    table?.bytes ?? 0,
    table?.cells ?? 1,
    partials ?? false,
  ].join(", ")}}`;
}

const rangeTables = kernels
  .map((kernel) => ({ name: `${inCamelCase(kernel.slug)}Ranges`, ranges: rangesOf(kernel.own) }))
  .filter(({ ranges }) => ranges.length > 0)
  .map(({ name, ranges }) => `constexpr Range ${name}[] = {${ranges.join(", ")}};\n`);

function table(type, name, of) {
  return `constexpr ${type} ${name}s[] = {\n${of.map(row).join("")}};\n`;
}

function lookup(type, name) {
  return `const ${type} &${name}(const std::string &slug) {
  for (const ${type} &of : ${name}s) if (slug == of.slug) return of;
  throw Failure{"ERR_UNSUPPORTED", "no kernel for " + slug};
}`;
}

file(
  "run/kernels.cc",
  ['"platform/failure.h"', '"run/kernels.h"'],
  `${kernels.map(declared).join("")}
namespace {

${rangeTables.join("")}
${table("CountKernel", "countKernel", countKernels)}
${table("SumsKernel", "sumsKernel", sumsKernels)}
}  // namespace

${lookup("CountKernel", "countKernel")}

${lookup("SumsKernel", "sumsKernel")}`,
);

/** The file of a kernel's folder, with what it needs in addition to the common parts. */
for (const kernel of kernels) {
  const { slug, own: of, constants: numbers, reads } = kernel;
  const enums = Object.values(of.parts).filter((part) => part.enumeration !== undefined);
  const parts = [constants(numbers), ...enums.map(enumOf), structOf(of), launchOf(kernel)];
  file(
    `kernels/${slug}.cuh`,
    [
      ...["<cstddef>", "<cstdint>"],
      `"kernels/${reads === "values" ? "weighted" : kernel.segments ? "segments" : kernel.columns ? "joint" : "polybin"}.cuh"`,
    ],
    parts.filter(Boolean).join("\n\n"),
  );
}

removeOthers(folder);
