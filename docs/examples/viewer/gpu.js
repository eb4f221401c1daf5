import { openEngine } from "@polybin/core";
import { webgpu } from "@polybin/webgpu";
import { canvasWay } from "./measure/canvas.js";
import { CLIP, compare } from "./measure/compare.js";
import { createScene } from "./scene.js";
import { createViewer } from "./viewer.js";

const MEASURED = [
  [640, 480],
  [1280, 720],
];
/** Frames of a round of the measurement. */
const FRAMES = 10;

/**
 * Finds a GPU, or says what is missing.
 * @param isForced whether a GPU that the CPU imitates will do. It is slower than the CPU itself
 */
export async function findDevice(isForced) {
  if (navigator.gpu === undefined) return { missing: "this browser has no WebGPU" };
  const adapter = await navigator.gpu.requestAdapter({ powerPreference: "high-performance" });
  if (adapter === null) return { missing: "this browser has WebGPU but finds no GPU" };
  const { isFallbackAdapter, architecture } = adapter.info;
  const isSoftware = isFallbackAdapter === true || architecture === "swiftshader";
  if (isSoftware && !isForced) return { missing: "this browser's only GPU is one that the CPU imitates" };
  return { device: await adapter.requestDevice() };
}

/** Shows frames with automatic contrast on a GPU. Counts, levels and frames stay there. */
export async function gpuShow(device, { view, chart }) {
  const engine = await openEngine({ backend: webgpu({ device }) });
  device.addEventListener("uncapturederror", ({ error }) => console.error(error.message));
  const format = navigator.gpu.getPreferredCanvasFormat();
  const contextOf = (canvas) => {
    const context = canvas.getContext("webgpu");
    context.configure({ device, format });
    return context;
  };
  Object.assign(chart, { width: 768, height: 128 });
  const shown = { view: contextOf(view), chart: contextOf(chart) };
  let viewer;
  let fill;

  async function begin(size, filler) {
    const next = await createViewer(device, engine, { size, format });
    const nextFill = await filler(next);
    viewer?.destroy();
    [viewer, fill] = [next, nextFill];
    Object.assign(view, { width: size[0], height: size[1] });
  }

  return {
    by: "the GPU",
    lost: device.lost,
    showScene: (size) =>
      begin(size, async ({ frame }) => {
        const scene = await createScene(device, frame);
        return (encoder) => scene.paint(encoder, performance.now() / 1000);
      }),
    showVideo: (video) => {
      const size = [video.videoWidth, video.videoHeight];
      return begin(size, ({ frame }) => () => {
        device.queue.copyExternalImageToTexture({ source: video }, { texture: frame }, size);
      });
    },
    splitAt: (part) => viewer.splitAt(view.width * part),
    async draw({ clip, speed }) {
      viewer.set({ clip, speed });
      const encoder = device.createCommandEncoder();
      fill(encoder);
      await viewer.measure(encoder);
      viewer.show(encoder, shown.view.getCurrentTexture().createView());
      viewer.chart(encoder, shown.chart.getCurrentTexture().createView());
      device.queue.submit([encoder.finish()]);
      // The next frame does not begin before this one is drawn, so that a slow GPU falls behind by one frame at most.
      await device.queue.onSubmittedWorkDone();
    },
    /** Measures this way and those that it replaces. */
    async measure(say) {
      const rows = [];
      for (const size of MEASURED) {
        say(`Measuring ${size.join(" × ")} …`);
        const others = { getImageData: await canvasWay(size, CLIP) };
        rows.push(...(await compare(device, engine, { size, frames: FRAMES, others })));
      }
      return rows;
    },
  };
}
