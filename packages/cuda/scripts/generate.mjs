// Writes C++ to native/generated, sorted into native's folders, for everything that TypeScript defines: constants, the
// structs and messages that cross the border (src/border), and the table of the kernels (src/kernels). It reads tsc's
// output, so it runs after tsc.
import { existsSync } from "node:fs";
import { inCamelCase, removeOthers, write } from "@polybin/addon/text";
import { limits } from "@polybin/core/backend";
import * as own from "../dist/base/limits.js";
import { ENUMERATIONS, MESSAGES, STRUCTS } from "../dist/border/index.js";
import * as found from "../dist/kernels/index.js";
import { readersOf, structOfMessage } from "./messages.mjs";
import { enumOf, rangesOf, structOf } from "./structs.mjs";

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
const SHARED = `
  U8_MAX U16_MAX U32_MAX WORD_BYTES BYTE_VALUES HALF_VALUES NIBBLE_VALUES MAX_BINS MAX_CELLS MAX_JOINT_COLUMNS
  WARP_THREADS BLOCK_THREADS VECTOR_BYTES FLOW_ROWS RANK_PADDING SEGMENT_ALIGN MERGE_THREADS MERGE_CELLS
  GPU_PIECE_BYTES GPU_CODES GPU_PADDING_BYTES UNROLL_MAX`
  .trim()
  .split(/\s+/);
const shared = Object.fromEntries(SHARED.map((name) => [name, limits[name]]));
file("limits.cuh", ["<cstdint>"], constants({ ...shared, ...own }));

file(
  "structs.cuh",
  ["<cstddef>", "<cstdint>"],
  [...ENUMERATIONS.map(enumOf), ...STRUCTS.map(structOf)].join("\n\n"),
);

file(
  "messages.h",
  [
    "<atomic>",
    "<memory>",
    "<string>",
    "<vector>",
    "",
    '"generated/structs.cuh"',
    '"platform/arrays.h"',
  ].filter(Boolean),
  MESSAGES.map(structOfMessage).join("\n\n"),
);
file(
  "boundary/readers.h",
  ['"boundary/reader.h"', '"generated/messages.h"'],
  `// Each checks types, lengths of structs and what their words may be: what the numbers come to is for run/checks.h.\n// @throws Failure\n${MESSAGES.map(({ message }) => `void read(const Reader &, ${message} &);`).join("\n")}`,
);
file("boundary/readers.cc", ['"generated/boundary/readers.h"'], readersOf(MESSAGES));

/** A kernel's functions: those of what it reads, and of what else it counts. Each has the parameters and their names. */
const samples = ["const Pixels &of, const Lowering &lowering, const Plan &plan", "of, lowering, plan"];
const FORMS = {
  samples: { before: samples },
  codes: { before: ["const Codes &of, const Plan &plan", "of, plan"] },
  segments: { before: samples, after: ["const Segments &segments, const Rows &rows", "segments, rows"] },
  columns: { before: ["const Joint &of, const Plan &plan", "of, plan"] },
  values: { before: ["const WeightedInput &of, const WeightedPlan &plan", "of, plan"] },
};
const has = (kernel, form) => kernel.reads === form || kernel[form] === true;

/** A kernel's own struct, which is one of its parameters unless it is empty. */
const ownOf = ({ own: { struct, parts } }) => (Object.keys(parts).length > 0 ? struct : null);
const listed = (...all) => all.filter(Boolean).join(", ");

// A source that includes this file defines the macros, such as a test with its own kernels.
const MACROS = { samples: "SAMPLES", codes: "CODES", values: "SUMS" };
write(
  new URL("kernels.inc", folder),
  `// Made by scripts/generate.mjs: for each kernel its launch function and the parameter that it has of its own.\n${kernels
    .map((kernel) => {
      const type = kernel.segments ? "SEGMENTS" : kernel.columns ? "COLUMNS" : MACROS[kernel.reads];
      const parameter = ownOf(kernel) ? `, const struct ${ownOf(kernel).name} &,` : "";
      return `${type}_KERNEL(${inCamelCase(kernel.slug)}${parameter})\n`;
    })
    .join("")}`,
);

/** Declares the functions of a kernel. */
const launchOf = (kernel) =>
  Object.entries(FORMS)
    .filter(([form]) => has(kernel, form))
    .map(([, { before, after = [] }]) => {
      const own = ownOf(kernel) && `const ${ownOf(kernel).name} &`;
      return `cudaError_t ${inCamelCase(kernel.slug)}(${listed(before[0], own, after[0], "cudaStream_t")});`;
    })
    .join("\n");

const CHECKED = { samples: "CountShape", codes: "CountShape", values: "WeightedPlan" };
const checks = ({ slug }) => existsSync(new URL(`../src/kernels/${slug}/check.cc`, import.meta.url));
const checkOf = ({ own: of }) => `check${of.struct.name}`;

function declared(kernel) {
  const own = ownOf(kernel);
  return [
    own ? `struct ${own.name};\n` : "",
    `${launchOf(kernel)}\n`,
    checks(kernel)
      ? `void ${checkOf(kernel)}(${listed(`const ${CHECKED[kernel.reads]} &`, own && `const ${own.name} &`)});\n`
      : "",
  ].join("");
}

/** Returns the initializer of a kernel's entry in the table. */
function row(kernel) {
  const name = inCamelCase(kernel.slug);
  const own = ownOf(kernel);
  const address = `const void *${own ? "own" : ""}`;
  const argument = own && `*static_cast<const ${own.name} *>(own)`;
  const launch = (form) => {
    if (!has(kernel, form)) return "nullptr";
    const { before, after = [] } = FORMS[form];
    const parameters = listed(before[0], address, after[0], "cudaStream_t stream");
    return `[](${parameters}) {\n       return ${name}(${listed(before[1], argument, after[1], "stream")});\n     }`;
  };
  const check = checks(kernel)
    ? `[](const ${CHECKED[kernel.reads]} &of, ${address}) { ${checkOf(kernel)}(${listed("of", argument)}); }`
    : "nullptr";
  const ranges = rangesOf(kernel.own);
  const head = [
    `"${kernel.slug}"`,
    own?.bytes ?? 0,
    ranges.length > 0 ? `${name}Ranges` : "nullptr",
    ranges.length,
  ];
  const forms = kernel.reads === "values" ? ["values"] : ["samples", "codes", "segments", "columns"];
  const facts =
    kernel.reads === "values" ? [] : [kernel.narrow ?? false, kernel.delivers ?? false, needsOf(kernel)];
  const lines = [head.join(", "), ...forms.map(launch), facts.join(", "), check].filter(Boolean);
  return `    {${lines.join(",\n     ")}},\n`;
}

/** Returns the initializer of CodesNeeds. */
function needsOf({ reads, threads, cells, shared: { bytes, table } = {}, partials }) {
  if (reads !== "codes") return "{}";
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
