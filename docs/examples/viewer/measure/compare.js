import { createReader, levelsOf } from "../replaced.js";
import { createScene } from "../scene.js";
import { createViewer } from "../viewer.js";

/** The part of the samples at each end that may clip. */
export const CLIP = 0.005;
const WARM = 5;

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

/**
 * Measures frames with levels found on the device, and with levels found in a loop over pixels that were read back.
 * Runs in Node and in pages, and draws to a texture that nobody sees.
 * @param options `size` in pixels, the number of `frames` of each round, and `others`: further ways by name
 * @returns for each way: the median of milliseconds per frame, and of the milliseconds that this thread was busy
 */
export async function compare(device, engine, { size, frames, rounds = 3, others = {} }) {
  const viewer = await createViewer(device, engine, { size, format: "rgba8unorm" });
  viewer.set({ clip: CLIP, speed: 1 });
  const target = device.createTexture({ size, format: "rgba8unorm", usage: 16 });
  const view = target.createView();
  const reader = createReader(device, viewer.frame);
  const scene = await createScene(device, viewer.frame);
  const painting = device.createCommandEncoder();
  scene.paint(painting, 1);
  device.queue.submit([painting.finish()]);
  await device.queue.onSubmittedWorkDone();

  const ways = {
    /** Count, levels and drawing are one submission. */
    async resident() {
      const start = performance.now();
      const encoder = device.createCommandEncoder();
      await viewer.measure(encoder);
      viewer.show(encoder, view);
      device.queue.submit([encoder.finish()]);
      const busy = performance.now() - start;
      await device.queue.onSubmittedWorkDone();
      return busy;
    },
    async readback() {
      let busy = 0;
      const timed = (work) => {
        const start = performance.now();
        work();
        busy += performance.now() - start;
      };
      await reader.read((pixels, shape) =>
        timed(() => {
          const [low, high] = levelsOf(pixels, shape, CLIP);
          device.queue.writeBuffer(viewer.levels, 0, Float32Array.of(low / 255, high / 255));
        }),
      );
      timed(() => {
        const encoder = device.createCommandEncoder();
        viewer.show(encoder, view);
        device.queue.submit([encoder.finish()]);
      });
      await device.queue.onSubmittedWorkDone();
      return busy;
    },
    /** Only the drawing, which both ways share. */
    async drawing() {
      const start = performance.now();
      const encoder = device.createCommandEncoder();
      viewer.show(encoder, view);
      device.queue.submit([encoder.finish()]);
      const busy = performance.now() - start;
      await device.queue.onSubmittedWorkDone();
      return busy;
    },
  };

  Object.assign(ways, others);
  const names = Object.keys(ways);
  const found = Object.fromEntries(names.map((name) => [name, { ms: [], busy: [] }]));
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      for (let i = 0; i < WARM + frames; i++) {
        const start = performance.now();
        const busy = await ways[name]();
        if (i < WARM) continue;
        found[name].ms.push(performance.now() - start);
        found[name].busy.push(busy);
      }
    }
  }
  viewer.destroy();
  reader.destroy();
  target.destroy();
  return names.map((name) => {
    const ms = median(found[name].ms);
    return { way: name, size, ms, framesPerSecond: 1000 / ms, busyMs: median(found[name].busy) };
  });
}
