// Writes npm/<platform>, the packages of the platforms' addons, for the backend in the working directory. The names of its
// optional dependencies are the only list of platforms. `--check` writes nothing, and fails if a file differs.
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { argv } from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { write } from "./text.mjs";

const SYSTEMS = { linux: "Linux", darwin: "macOS", win32: "Windows" };
/** The C libraries of Linux, by the end of a platform's name. */
const LIBRARIES = { glibc: "glibc 2.34 or newer", musl: "musl, such as Alpine" };

/** The words of each backend. */
const BACKENDS = {
  cuda: {
    keywords: ["cuda", "nvidia"],
    holds: "the kernels and the CUDA runtime",
    page: "[The CUDA backend](https://github.com/polybin/polybin/blob/main/docs/internals/cuda.md)",
  },
  native: {
    keywords: ["cpu", "simd"],
    holds: "the kernels",
    page: "[The native backend](https://github.com/polybin/polybin/tree/main/packages/native#readme)",
  },
};

const readJson = (url) => JSON.parse(readFileSync(url, "utf8"));

/** The platforms of the backend in a folder, as "linux-x64". */
export function platformsOf(root) {
  const { name, optionalDependencies = {} } = readJson(new URL("package.json", root));
  return Object.keys(optionalDependencies)
    .filter((other) => other.startsWith(`${name}-`))
    .map((other) => other.slice(name.length + 1));
}

/** The manifest and the README of a platform's package. */
function filesOf(backend, version, platform) {
  const [os, cpu, library = "glibc"] = platform.split("-");
  const name = `@polybin/${backend}-${platform}`;
  const { keywords, holds, page } = BACKENDS[backend];
  const addon = `polybin_${backend}.node`;
  const where = `${SYSTEMS[os]} ${cpu}${os === "linux" ? ` with ${LIBRARIES[library]}` : ""}`;
  const manifest = {
    name,
    version,
    description: `The addon of @polybin/${backend} for ${where}`,
    keywords: ["histogram", "histograms", "binning", "exact", ...keywords, "native-addon"],
    homepage: `https://github.com/polybin/polybin/tree/main/packages/${backend}/npm/${platform}#readme`,
    bugs: "https://github.com/polybin/polybin/issues",
    license: "MIT",
    repository: {
      type: "git",
      url: "git+https://github.com/polybin/polybin.git",
      directory: `packages/${backend}/npm/${platform}`,
    },
    type: "commonjs",
    engines: { node: ">=22" },
    os: [os],
    cpu: [cpu],
    ...(os === "linux" && { libc: [library] }),
    main: `./${addon}`,
    files: [addon],
    publishConfig: { access: "public", provenance: true },
    preferUnplugged: true,
    scripts: {
      prepack: `test -f ${addon} || { echo '${backend}-${platform}: ${addon} is not built' >&2; exit 1; }`,
    },
  };
  const readme = `# ${name}

This package contains the native addon of [\`@polybin/${backend}\`](https://www.npmjs.com/package/@polybin/${backend}) for ${where}. \`@polybin/${backend}\` installs and loads it. Do not install or import this package yourself:

\`\`\`sh
npm install @polybin/core @polybin/${backend}
\`\`\`

The archive holds one file, \`${addon}\`, which contains ${holds}. It has no options of its own, and its functions are not an interface for programs.

${page} · [MIT licence](https://github.com/polybin/polybin/blob/main/LICENSE)
`;
  return { "package.json": `${JSON.stringify(manifest, null, 2)}\n`, "README.md": readme };
}

function main(isCheck) {
  const root = pathToFileURL(`${process.cwd()}/`);
  const { name, version } = readJson(new URL("package.json", root));
  const platforms = platformsOf(root);
  const folder = new URL("npm/", root);
  const backend = name.replace("@polybin/", "");
  const problems = [];
  for (const platform of platforms) {
    for (const [file, text] of Object.entries(filesOf(backend, version, platform))) {
      const url = new URL(`${platform}/${file}`, folder);
      if (!isCheck) write(url, text);
      else if (!existsSync(url) || readFileSync(url, "utf8") !== text) problems.push(url);
    }
  }
  for (const other of readdirSync(folder).filter((entry) => !platforms.includes(entry))) {
    if (isCheck) problems.push(new URL(other, folder));
    else rmSync(new URL(other, folder), { recursive: true });
  }
  for (const url of problems)
    console.error(`${fileURLToPath(url)}: expected what scripts/platforms.mjs of @polybin/addon writes`);
  if (problems.length > 0) process.exitCode = 1;
}

if (argv[1] === fileURLToPath(import.meta.url)) main(argv.includes("--check"));
