// A page that uses all it can: on its own thread, in a web worker, and on WebGPU.
import { openEngine } from "@polybin/core";
import { webgpu } from "@polybin/webgpu";
import { use } from "./uses.mjs";

async function inWorker() {
  const worker = new Worker(new URL("./worker.mjs", import.meta.url), { type: "module" });
  const found = await new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => (typeof data === "string" ? reject(new Error(data)) : resolve(data));
    worker.onerror = ({ message }) => reject(new Error(`the worker failed: ${message}`));
  });
  worker.terminate();
  return found;
}

async function on(backend) {
  const engine = await openEngine({ backend });
  try {
    return await use(engine, "per-block");
  } finally {
    await engine.close();
  }
}

globalThis.found = { here: await on(), worker: await inWorker(), webgpu: await on(webgpu()) };
