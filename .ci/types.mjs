// Compiles programs against the archives that a release would publish, as their users do. Several compilers check the
// declarations, with both module resolutions, and with the types of a page, of Node and of neither.
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root, run } from "./workspace.mjs";

/** Names in node_modules, from the project's own to the oldest. Those between them compile at night. */
const COMPILERS = ["typescript", "typescript-6", "typescript-5.9", "typescript-5.7"];

/** Compiler options of each program, in addition to the minimum that the packages require. */
const ENVIRONMENTS = [
  { name: "neither page nor Node", lib: [], types: [], files: ["anywhere.ts"] },
  { name: "a page", lib: ["DOM"], types: [], files: ["anywhere.ts", "page.ts"] },
  { name: "Node", lib: [], types: ["node"], files: ["anywhere.ts", "doors.ts", "node.ts"] },
];

const MODULES = [
  { module: "nodenext", moduleResolution: "nodenext" },
  { module: "preserve", moduleResolution: "bundler" },
];

/**
 * Unpacks the archives as an installation would, in a folder of their own, and copies the programs next to them.
 * @param packed the manifest, the workspace folder and the archive of each package
 */
export async function unpack(packed, folder) {
  const modules = join(folder, "node_modules");
  cpSync(join(root, ".ci/types"), folder, { recursive: true });
  const link = (target, name) => {
    // Two packages may need the same library. The lock file has one version of each.
    if (existsSync(join(modules, name))) return;
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(target, join(modules, name));
  };
  link(join(root, "node_modules/@types/node"), "@types/node");
  const own = new Set(packed.map(({ name }) => name));
  for (const { name, folder: source, archive, dependencies = {} } of packed) {
    const target = join(modules, name);
    mkdirSync(target, { recursive: true });
    const { code, output } = await run("tar", ["-xzf", archive, "-C", target, "--strip-components=1"]);
    if (code !== 0) return output;
    for (const other of Object.keys(dependencies).filter((dependency) => !own.has(dependency))) {
      link(join(root, source, "node_modules", other), other);
    }
  }
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(folder, "doors.ts"), doorsOf(packed));
  return null;
}

/** A program that imports every door of every package, so that every declaration that a user can reach is checked. */
const doorsOf = (packed) =>
  packed
    .flatMap(({ name, exports }) => Object.keys(exports).map((door) => name + door.slice(1)))
    .map((door, i) => `export * as door${i} from "${door}";\n`)
    .join("");

/** The compilers' versions as "5.7", the oldest first. */
export const compilerVersions = () =>
  COMPILERS.map(
    (compiler) =>
      JSON.parse(readFileSync(join(root, "node_modules", compiler, "package.json"), "utf8")).version,
  )
    .map((version) => version.split(".").slice(0, 2).join("."))
    .reverse();

/** A check for each compiler and environment, with one way to find modules or the other; our own compiler does both. */
export function typeChecks(folder, { nightly = false } = {}) {
  const wanted = nightly ? COMPILERS : [COMPILERS.at(0), COMPILERS.at(-1)];
  return wanted.flatMap((compiler, row) =>
    ENVIRONMENTS.flatMap((environment, column) =>
      MODULES.filter((_, i) => row === 0 || i === (row + column) % MODULES.length).map((modules) => [
        `types for ${environment.name}: ${compiler}, ${modules.moduleResolution}`,
        () => compile(folder, compiler, environment, modules),
      ]),
    ),
  );
}

async function compile(folder, compiler, { lib, types, files }, modules) {
  const config = join(folder, `${compiler}-${files.at(-1)}-${modules.moduleResolution}.json`);
  const compilerOptions = {
    ...modules,
    target: "es2022",
    lib: ["ES2022", ...lib],
    types,
    strict: true,
    skipLibCheck: false,
    noEmit: true,
  };
  writeFileSync(config, JSON.stringify({ compilerOptions, files }));
  const { code, output } = await run("node", [join(root, "node_modules", compiler, "bin/tsc"), "-p", config]);
  return code === 0 ? null : output || `ended with ${code}`;
}
