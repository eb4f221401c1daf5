// Checks which packages and rooms (rooms.mjs) import which, and forbids cycles. dependency-cruiser reads every import of
// TypeScript and of the scripts, type-only ones included.
//
// Core imports nothing (node: only in its multithreaded room), and so does analysis. Conformance imports core. Every other package imports core
// and what ALLOWED names, and its tests import conformance and unpublished packages. Apps and benchmarks import everything, and their tests import
// the test helpers of others. Nobody imports apps and benchmarks.
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { cruise } from "dependency-cruiser";
import { ROOMS, WITHOUT_DOORS } from "./rooms.mjs";
import { root } from "./workspace.mjs";

const PACKAGE = "packages/[^/]+|apps/[^/]+|benchmarks|docs/examples/[^/]+";
const APPLICATION = "apps/[^/]+|benchmarks";
const TEST = "(^|/)test/|\\.test\\.ts$|/vitest\\.config\\.ts$";
const BELOW_TEST = "(?:test/|.*/test/)";
const TYPESCRIPT = "\\.m?tsx?$";
const CORES_THREADS = "^packages/core/src/multithreaded/";
/** A file of TypeScript below `of`, which is the rules' $1. Scripts are free: they build what others import. */
const source = (of) => `^(${of})/.*${TYPESCRIPT}`;

/** The published packages that a package may import in addition to core. */
const ALLOWED = {
  cluster: ["columns"],
  columns: ["analysis", "native"],
  polybin: ["columns", "native", "piscina"],
};

const rule = (why, from, to) => ({ name: why, severity: "error", from, to });

const PACKAGE_RULES = [
  rule(
    "nobody imports apps or benchmarks, but the command the dashboard, which it starts",
    { path: source(PACKAGE), pathNot: [`^(?:${APPLICATION})/${BELOW_TEST}`, "^apps/cli/"] },
    { path: `^(?:${APPLICATION})/`, pathNot: "^$1/" },
  ),
  rule(
    "nobody imports apps or benchmarks, but the command the dashboard, which it starts",
    { path: source("apps/cli"), pathNot: TEST },
    { path: `^(?:${APPLICATION})/`, pathNot: ["^apps/cli/", "^apps/dashboard/"] },
  ),
  rule(
    "nobody imports apps or benchmarks; their tests import helpers of tests",
    { path: `^(${APPLICATION})/${BELOW_TEST}` },
    { path: `^(?:${APPLICATION})/`, pathNot: ["^$1/", TEST] },
  ),
  rule(
    "another package is imported by its name, not by a path",
    { path: source(PACKAGE), pathNot: `/${BELOW_TEST}` },
    { dependencyTypes: ["local"], pathNot: "^$1/" },
  ),
  rule(
    "another package is imported by its name, not by a path; core's helpers are there for the tests of all",
    { path: `^(packages/[^/]+)/${BELOW_TEST}` },
    { dependencyTypes: ["local"], pathNot: ["^$1/", "^packages/core/test/"] },
  ),
  rule(
    "another package is imported by its name, not by a path",
    { path: `^(${APPLICATION})/${BELOW_TEST}` },
    { dependencyTypes: ["local"], pathNot: ["^$1/", TEST] },
  ),
  rule(
    "core imports nothing (node: only in src/multithreaded)",
    { path: source("packages/core"), pathNot: [TEST, CORES_THREADS] },
    { pathNot: "^$1/" },
  ),
  rule(
    "core imports nothing (node: only in src/multithreaded)",
    { path: CORES_THREADS },
    { pathNot: "^packages/core/", dependencyTypesNot: ["core"] },
  ),
  rule("analysis imports nothing", { path: source("packages/analysis"), pathNot: TEST }, { pathNot: "^$1/" }),
  rule(
    "core imports no other package of the workspace",
    { path: source("packages/core") },
    { path: `^(?:${PACKAGE})/`, pathNot: "^$1/" },
  ),
  rule(
    "conformance imports only core",
    { path: source("packages/conformance") },
    { path: `^(?:${PACKAGE})/`, pathNot: ["^$1/", "^packages/core/"] },
  ),
  rule(
    "conformance imports only core and fast-check",
    { path: source("packages/conformance"), pathNot: TEST },
    { pathNot: ["^$1/", "^packages/core/", "(^|/)fast-check(/|$)"], dependencyTypesNot: ["core"] },
  ),
  rule(
    "it is not there (`npm run setup` makes what is generated)",
    { path: source(PACKAGE) },
    { couldNotResolve: true, path: "^\\." },
  ),
  rule("a circle", {}, { circular: true }),
];

/** The rules between packages: they import core, and their tests also import conformance and unpublished packages. */
function betweenPackages(testsOnly) {
  const forTests = `^(?:${testsOnly.join("|")})/`;
  const others = source("packages/(?!core/|conformance/)[^/]+");
  return [
    rule(
      "what is made for tests is imported only in tests",
      { path: others, pathNot: [TEST, forTests] },
      { path: forTests, pathNot: "^$1/" },
    ),
    rule(
      "what is made for tests is imported only in tests",
      { path: source("apps/[^/]+"), pathNot: TEST },
      { path: forTests },
    ),
    rule(
      "a package never imports another one but core",
      { path: others, pathNot: `^packages/(?:${Object.keys(ALLOWED).join("|")})/` },
      { path: "^packages/", pathNot: ["^$1/", "^packages/core/", forTests] },
    ),
    ...Object.entries(ALLOWED).map(([name, allowed]) =>
      rule(
        `${name} imports no other package but ${["core", ...allowed].join(" and ")}`,
        { path: source(`packages/${name}`) },
        {
          path: "^packages/",
          pathNot: ["^$1/", "^packages/core/", forTests, `^packages/(?:${allowed.join("|")})/`],
        },
      ),
    ),
  ];
}

/** The rules of one package's rooms. @param hasDoors whether a room is imported through its index.ts alone */
function roomRules(folder, levels, hasDoors) {
  const src = `^${folder}/src`;
  const within = (rooms) => `${src}/(${rooms.join("|")})/`;
  const door = rule(
    "another room is imported through its door, index.ts",
    { path: `${src}/([^/]+)/` },
    { path: `${src}/[^/]+/`, pathNot: [`${src}/$1/`, `${src}/[^/]+/index\\.ts$`] },
  );
  return [
    ...(hasDoors ? [door] : []),
    rule("a room imports no entry of its package", { path: `${src}/[^/]+/` }, { path: `${src}/[^/]+\\.ts$` }),
    ...levels.map((rooms, level) =>
      rule(
        `level ${level + 1} imports only levels below`,
        { path: within(rooms) },
        { path: within(levels.slice(level).flat()), pathNot: `${src}/$1/` },
      ),
    ),
  ];
}

/** Finds the levels of each package's existing rooms, and the faults of its folders. */
function findRooms(base, table, withoutDoors) {
  const found = [];
  const problems = [];
  for (const [folder, levels] of Object.entries(table)) {
    const src = join(base, folder, "src");
    const folders = existsSync(src)
      ? readdirSync(src, { withFileTypes: true }).filter((entry) => entry.isDirectory())
      : [];
    const names = folders.map(({ name }) => name);
    const hasDoor = (name) => existsSync(join(src, name, "index.ts"));
    const listed = levels.flat();
    const isRoom = withoutDoors.includes(folder) ? (name) => names.includes(name) : hasDoor;
    // One folder alone is no set of rooms.
    if (listed.filter(isRoom).length < 2) continue;
    found.push([folder, levels.map((rooms) => rooms.filter((name) => names.includes(name)))]);
    for (const name of names) {
      if (!listed.includes(name)) problems.push(`${folder}/src/${name}: no level in .ci/rooms.mjs`);
    }
  }
  return { found, problems };
}

const manifestOf = (base, folder) => JSON.parse(readFileSync(join(base, folder, "package.json"), "utf8"));

/** Maps a package's exports to their sources, so that an import resolves with or without a build. */
function sources(base, folders) {
  const alias = {};
  for (const folder of folders) {
    const { name, exports = {} } = manifestOf(base, folder);
    // An application exports nothing; who imports it all the same is led to it.
    alias[`${name}$`] = join(base, folder, "package.json");
    for (const [path, target] of Object.entries(exports)) {
      const file = (target.default ?? target).replace(/^\.\/dist\/(.*)\.js$/, "src/$1.ts");
      // `$`: this name, not what begins with it.
      // A package of a test's or an application's may export what it is written in.
      const built = existsSync(join(base, folder, file)) ? file : (target.default ?? target);
      alias[`${join(name, path)}$`] = join(base, folder, built);
    }
  }
  return alias;
}

/** Finds the lines of a file that name a module, as "file:line". */
function placesOf(base, file, specifier) {
  const quoted = ['"', "'", "`"].flatMap((quote) =>
    [specifier, `node:${specifier}`].map((name) => `${quote}${name}${quote}`),
  );
  const lines = readFileSync(join(base, file), "utf8").split("\n");
  const found = [...lines.keys()].filter((i) => quoted.some((text) => lines[i].includes(text)));
  return found.length > 0 ? found.map((i) => `${file}:${i + 1}`) : [file];
}

/** One import can close hundreds of cycles. From those that share a file, keeps the shortest, which shows what to cut. */
function apart(circles) {
  const seen = new Set();
  const found = [];
  for (const circle of circles.toSorted((a, b) => a.length - b.length)) {
    if (circle.some((file) => seen.has(file))) continue;
    for (const file of circle) seen.add(file);
    found.push(circle);
  }
  return found;
}

/** Reads all files of a workspace. Resolves to the violations, one line for each, and to the rooms found. */
export async function checkImports(base, table, withoutDoors = []) {
  const folders = globSync("{packages/*,apps/*,docs/examples/*,benchmarks}/package.json", { cwd: base }).map(
    (path) => path.split(sep).slice(0, -1).join("/"),
  );
  // AssemblyScript (*.as.ts) is another language: its modules can only import one another.
  const leftOut = (entry) =>
    /(^|\/)(node_modules|dist|build)$|\.as\.ts$/.test(typeof entry === "string" ? entry : entry.name);
  const files = globSync(["{packages,apps,docs,benchmarks}/**/*.{ts,tsx,mts,mjs}", ".ci/**/*.mjs"], {
    cwd: base,
    exclude: leftOut,
  })
    .map((path) => path.split(sep).join("/"))
    .sort();
  const testsOnly = folders.filter(
    (folder) =>
      folder.startsWith("packages/") &&
      (folder === "packages/conformance" || manifestOf(base, folder).private),
  );
  const { found, problems } = findRooms(base, table, withoutDoors);
  const { output } = await cruise(
    files,
    {
      baseDir: base,
      parser: "tsc",
      tsPreCompilationDeps: true,
      doNotFollow: { path: "(^|/)(node_modules|dist|build)/" },
      ruleSet: {
        forbidden: [
          ...PACKAGE_RULES,
          ...betweenPackages(testsOnly),
          ...found.flatMap(([folder, levels]) => roomRules(folder, levels, !withoutDoors.includes(folder))),
        ],
      },
      validate: true,
    },
    { extensions: [".ts", ".mjs", ".js"], alias: sources(base, folders) },
  );
  const circles = [];
  const forbidden = new Set(problems);
  for (const { from, to, rule, cycle } of output.summary.violations) {
    if (cycle) {
      circles.push(cycle.map(({ name }) => name));
      continue;
    }
    const { dependencies } = output.modules.find(({ source }) => source === from);
    const specifiers = dependencies.filter(({ resolved }) => resolved === to).map(({ module }) => module);
    for (const specifier of specifiers) {
      for (const place of placesOf(base, from, specifier))
        forbidden.add(`${place} imports ${specifier}: ${rule.name}`);
    }
  }
  return { files: files.length, rooms: found, forbidden: [...forbidden], circles: apart(circles) };
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const { files, rooms, forbidden, circles } = await checkImports(root, ROOMS, WITHOUT_DOORS);
  for (const [folder, levels] of rooms) {
    console.log(`${folder}: ${levels.flat().length} rooms on ${levels.length} levels`);
    for (const [i, names] of levels.entries()) console.log(`  ${i + 1}  ${names.join(", ")}`);
  }
  for (const message of forbidden) console.error(message);
  for (const circle of circles) console.error(`a circle:\n    ${circle.join("\n    ")}`);
  const count = (n, what) => `${n === 0 ? "no" : n} ${what}${n > 1 ? "s" : ""}`;
  console.log(
    `${files} files: ${count(forbidden.length, "forbidden import")}, ${count(circles.length, "circle")}`,
  );
  if (forbidden.length + circles.length > 0) process.exitCode = 1;
}
