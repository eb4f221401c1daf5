// Fuzzes the readers of text and of Parquet with clang's libFuzzer, under the sanitizers for addresses and for undefined
// behaviour: node scripts/fuzz.mjs [SECONDS [TARGET…]]. Each target of test/fuzz runs for the seconds, on one thread. Its
// corpus and the cases that it fails on are in build/fuzz. Without clang and libFuzzer, nothing runs, and a line says so.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { compile, sources } from "@polybin/addon/compile";
import { SEEDS } from "../test/fuzz/seeds.mjs";
import { root, step } from "./compile.mjs";

const COMPILER = "clang++";
const SANITIZERS = [
  ...["-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
  // Copies of no bytes may name no memory.
  "-fno-sanitize=nonnull-attribute",
];
const ROOMS = ["text", "csv", "jsonl", "parquet"];
const folder = join(root, "build", "fuzz");

/** Whether the compiler links programs with libFuzzer. */
function hasFuzzer() {
  const input = 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char *, unsigned long) { return 0; }';
  const args = ["-fsanitize=fuzzer", "-x", "c++", "-", "-o", join(folder, "probe")];
  return spawnSync(COMPILER, args, { input }).status === 0;
}

/** Builds the program of a target. @returns its path */
async function programOf(target) {
  const version = execFileSync(COMPILER, ["--version"], { encoding: "utf8" });
  const native = join(root, "native");
  // Nothing here knows JavaScript.
  const tools = { compiler: COMPILER, version, flags: [], headers: native, addonApi: native };
  const own = [
    ...ROOMS.flatMap((room) => sources(join(native, room))),
    join(native, "platform", "instructions.cc"),
  ];
  const flags = ["-O2", "-g1", "-fsanitize=fuzzer-no-link", ...SANITIZERS];
  const steps = [...own, join(root, "test", "fuzz", `${target}.cc`)].map(
    step(tools, join(folder, "objects"), flags),
  );
  await compile(steps);
  const program = join(folder, "programs", target);
  mkdirSync(dirname(program), { recursive: true });
  const objects = steps.map(({ object }) => object);
  execFileSync(COMPILER, [
    "-fsanitize=fuzzer",
    ...SANITIZERS,
    "-static-libstdc++",
    "-o",
    program,
    ...objects,
  ]);
  return program;
}

function seed(target) {
  const seeds = join(folder, "seeds", target);
  mkdirSync(seeds, { recursive: true });
  for (const [i, bytes] of SEEDS[target].entries())
    writeFileSync(join(seeds, String(i)), Uint8Array.from(bytes));
  return seeds;
}

async function fuzz(target, seconds) {
  const program = await programOf(target);
  const corpus = join(folder, "corpus", target);
  const found = join(folder, "found", "/");
  for (const path of [corpus, found]) mkdirSync(path, { recursive: true });
  const options = [
    `-max_total_time=${seconds}`,
    `-artifact_prefix=${found}${target}-`,
    "-timeout=5",
    "-verbosity=0",
  ];
  console.log(`native: ${target} is fuzzed for ${seconds} s`);
  const { status } = spawnSync(program, [...options, "-print_final_stats=1", corpus, seed(target)], {
    stdio: "inherit",
  });
  if (status !== 0) process.exitCode = 1;
}

const [seconds = "20", ...targets] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
if (hasFuzzer()) {
  for (const target of targets.length > 0 ? targets : Object.keys(SEEDS)) await fuzz(target, Number(seconds));
} else {
  console.log(`native: the readers are not fuzzed here: they need ${COMPILER} with libFuzzer`);
}
