// How the native code is compiled, for the platforms of targets.mjs.
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findHeaders, hostFlags, objectOf, shared, sources } from "@polybin/addon/compile";
import { targetOf } from "./targets.mjs";

export const root = fileURLToPath(new URL("..", import.meta.url));
const native = join(root, "native");

/** Returns the compiler for a platform and the folders of headers, or as `missing` what this machine lacks. */
export function findTools(platform) {
  const headers = findHeaders();
  return headers.missing
    ? headers
    : { ...headers, ...targetOf(platform, headers, join(root, "build", platform)) };
}

/** The sources of the WebAssembly module alone (webassembly.mjs). */
const webAssembly = join(native, "webassembly");

/** The sources of the addon for a target. */
export const sourcesFor = ({ wide }) =>
  [shared, native, join(root, "src", "kernels")]
    .flatMap((folder) => sources(folder))
    .filter((file) => !file.startsWith(webAssembly) && (wide || !/-avx/.test(basename(file))));

/** Flags of the files that are compiled for one set of instructions. */
const INSTRUCTIONS = {
  avx2: ["-mavx2", "-mfma"],
  avx512: ["-mavx2", "-mfma", "-mavx512f", "-mavx512bw", "-mavx512vl", "-mavx512dq"],
};
/** Contracted operations would round differently. */
const ROWS = [
  "-O3",
  "-ffp-contract=off",
  "-fno-trapping-math",
  "-fno-math-errno",
  "-ffinite-math-only",
  "-fno-signed-zeros",
];

/** Contracted operations are exact there, or refused. */
const ADDENDS = ["-O3", "-ffp-contract=fast", "-fno-trapping-math", "-fno-math-errno"];

/** How a source is compiled into the folder `objects`. */
export const step =
  (tools, objects, flags = ["-O3"]) =>
  (source) => ({
    source,
    command: tools.compiler,
    version: tools.version,
    object: objectOf(root, objects, source),
    args: [
      ...tools.flags,
      ...hostFlags(tools, [native]),
      ...flags,
      ...(/rows-/.test(basename(source)) ? ROWS : []),
      ...(/addends-/.test(basename(source)) ? ADDENDS : []),
      ...(INSTRUCTIONS[/-(avx\d+)\.cc$/.exec(source)?.[1]] ?? []),
    ],
  });
