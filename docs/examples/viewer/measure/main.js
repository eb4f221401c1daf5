// Measures in Node, on Dawn's first adapter: `node measure/main.js`. With --swiftshader, on a GPU that the CPU emulates, which
// the tests of this repository bring along. --frames N sets the frames of a round.
import { fork } from "node:child_process";
import { cpus } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openEngine } from "@polybin/core";
import { webgpu } from "@polybin/webgpu";
import { create } from "webgpu";
import { compare } from "./compare.js";

const SIZES = [
  [640, 480],
  [1280, 720],
  [1920, 1080],
  [3840, 2160],
];
const { values } = parseArgs({
  options: {
    swiftshader: { type: "boolean", default: false },
    frames: { type: "string", default: "60" },
    sizes: { type: "string", default: "4" },
  },
});

/** The dynamic loader reads its environment when a process starts, so SwiftShader needs one of its own. */
async function onSwiftShader() {
  const { swiftshaderEnv } = await import("@polybin/testbed/swiftshader");
  const env = await swiftshaderEnv();
  if (typeof env === "string") throw new Error(`expected SwiftShader but ${env}`);
  const child = fork(fileURLToPath(import.meta.url), process.argv.slice(2), {
    env: { ...process.env, ...env },
  });
  child.on("exit", (code) => {
    process.exitCode = code ?? 1;
  });
}

async function measure() {
  // SwiftShader takes seconds to compile a zeroed array of a workgroup.
  const zeroing = "disable-dawn-features=use_vulkan_zero_initialize_workgroup_memory_extension";
  const gpu = create(values.swiftshader ? [zeroing] : []);
  const adapter = await gpu.requestAdapter({ powerPreference: "high-performance" });
  if (adapter === null) {
    console.error(
      "expected a GPU that Dawn knows but found none; --swiftshader measures one that the CPU emulates",
    );
    process.exitCode = 2;
    return;
  }
  const device = await adapter.requestDevice();
  device.addEventListener("uncapturederror", ({ error }) => {
    throw new Error(error.message);
  });
  const engine = await openEngine({ backend: webgpu({ device }) });
  const { vendor, architecture, device: name, description } = adapter.info;
  console.log(
    `${description || name || `${vendor} ${architecture}`}; ${cpus()[0].model}, ${cpus().length} threads; Node ${process.version}`,
  );
  for (const size of SIZES.slice(0, Number(values.sizes))) {
    for (const { way, ms, framesPerSecond, busyMs } of await compare(device, engine, {
      size,
      frames: Number(values.frames),
    })) {
      console.log(
        `${size.join(" x ").padStart(11)}  ${way.padEnd(8)} ${ms.toFixed(2).padStart(8)} ms per frame ${framesPerSecond.toFixed(1).padStart(8)} per second ` +
          `${busyMs.toFixed(2).padStart(8)} ms on this thread`,
      );
    }
  }
  await engine.close();
  device.destroy();
  return gpu;
}

if (values.swiftshader && process.env.VK_ICD_FILENAMES === undefined) await onSwiftShader();
else await measure();
