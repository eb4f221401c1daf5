// The platforms that the addon can be compiled for here: this machine's own, and those that Debian's cross-compilers make on
// Linux x64.
//
// A target is { compiler, version, flags, linked, wide }: the flags are those of every file and of the linker, and `wide` says
// whether the platform may have AVX2 and AVX-512.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
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

/** Returns how an addon for a platform is compiled, or as `missing` what this machine lacks. */
export function targetOf(platform) {
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
  return { missing: `no compiler here makes addons for ${platform}` };
}
