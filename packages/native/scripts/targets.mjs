// The platforms that the addon can be compiled for here: this machine's own, and those that Debian's cross-compilers make on
// Linux x64.
//
// A target is { compiler, version, flags, linked, wide }: the flags are those of every file and of the linker, and `wide` says
// whether the platform may have AVX2 and AVX-512.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { versionOf } from "@polybin/addon/compile";

/** The name of this machine's platform, as its package has it. */
export function platformHere() {
  const platform = `${process.platform}-${process.arch}`;
  if (process.platform !== "linux") return platform;
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime ? platform : `${platform}-musl`;
}

/** Its threads outlive a worker that loaded the addon, so it stays in memory. */
const STAYS = "-Wl,-z,nodelete";
const LINUX = [STAYS, "-static-libstdc++", "-lpthread", "-ldl"];
const APPLE = ["-undefined", "dynamic_lookup"];

const printed = (...args) => {
  const { stdout = "", stderr = "" } = spawnSync("g++", args, { encoding: "utf8", input: "" });
  return stdout + stderr;
};

/**
 * musl, by the compiler for glibc. Debian has no C++ library for musl, so the headers are those for glibc (musl.h says what
 * differs), and the library is a shared one, which Node for musl needs too.
 */
function musl() {
  const include = "/usr/include/x86_64-linux-musl";
  const libraries = "/usr/lib/x86_64-linux-musl";
  if (!existsSync(include)) return null;
  const fileOf = (name) => printed(`-print-file-name=${name}`).trim();
  const folders = printed("-x", "c++", "-E", "-v", "-").match(/(?<=^ )\/\S+\/c\+\+\/\S+$/gm) ?? [];
  return {
    flags: [
      ...["-nostdinc", "-nostdinc++", "-include", fileURLToPath(new URL("musl.h", import.meta.url))],
      ...[...folders, include, fileOf("include")].flatMap((folder) => ["-isystem", folder]),
    ],
    linked: [
      ...["-nostdlib", `${libraries}/crti.o`, fileOf("crtbeginS.o"), STAYS, `-L${libraries}`],
      ...[fileOf("libstdc++.so"), fileOf("libgcc_s.so.1"), "-lc", fileOf("libgcc.a")],
      ...[fileOf("crtendS.o"), `${libraries}/crtn.o`],
    ],
  };
}

/**
 * Windows, by Debian's compiler. Node-API is imported from the program itself, by a library that is made from the names in
 * Node's headers.
 */
function windows(headers, folder) {
  const names = ["js_native_api.h", "node_api.h"].flatMap((header) =>
    Array.from(
      readFileSync(join(headers, header), "utf8").matchAll(/\b(n(?:api|ode_api)_\w+)\(/g),
      ([, name]) => name,
    ),
  );
  mkdirSync(folder, { recursive: true });
  const [definition, library] = [join(folder, "node.def"), join(folder, "libnode.a")];
  writeFileSync(definition, `LIBRARY node.exe\nEXPORTS\n${[...new Set(names)].join("\n")}\n`);
  execFileSync("x86_64-w64-mingw32-dlltool", ["-d", definition, "-l", library]);
  // The compiler takes the stack for aligned to 32 bytes, which Windows does not promise.
  return { flags: ["-Wa,-muse-unaligned-vector-move"], linked: ["-static", library] };
}

/**
 * Returns how an addon for a platform is compiled, or as `missing` what this machine lacks.
 * @param folder a place for what is made for it
 */
export function targetOf(platform, { headers }, folder) {
  const here = platformHere();
  const wide = /-x64/.test(platform);
  const isLinux = here.startsWith("linux-x64");
  const found = (compiler, needs, more) => {
    const version = versionOf(compiler);
    return version ? { compiler, version, wide, flags: [], ...more } : { missing: `it needs ${needs}` };
  };
  if (platform.startsWith("darwin-") && process.platform === "darwin") {
    const flags = ["-arch", platform === "darwin-x64" ? "x86_64" : "arm64"];
    return found("clang++", "clang", { flags, linked: [...flags, ...APPLE] });
  }
  if (platform === here && process.platform === "linux") return found("g++", "g++", { linked: LINUX });
  if (platform === "linux-arm64" && isLinux)
    return found("aarch64-linux-gnu-g++", "Debian's g++-aarch64-linux-gnu", { linked: LINUX });
  if (platform === "linux-x64-musl" && isLinux) {
    const more = musl();
    return more ? found("g++", "g++", more) : { missing: "it needs Debian's musl-dev" };
  }
  if (platform === "win32-x64" && isLinux) {
    const compiler = "x86_64-w64-mingw32-g++-posix";
    const needs = "Debian's g++-mingw-w64-x86-64-posix";
    return versionOf(compiler)
      ? found(compiler, needs, windows(headers, folder))
      : { missing: `it needs ${needs}` };
  }
  return { missing: `no compiler here makes addons for ${platform}` };
}
