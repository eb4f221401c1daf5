import { levelsOf } from "../replaced.js";

/**
 * A viewer without WebGPU, for `compare`: a canvas in two dimensions gets the frame, reads its pixels, stretches them in a loop
 * and puts them back. All of its work is on the page's thread.
 * @returns the frame's way, which resolves to the milliseconds that it took
 */
export async function canvasWay([width, height], clip) {
  const source = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
  const gradient = source.createLinearGradient(0, 0, width, height);
  gradient.addColorStop(0, "#8090b0");
  gradient.addColorStop(1, "#a08070");
  source.fillStyle = gradient;
  source.fillRect(0, 0, width, height);
  // A frame of a video is a bitmap, too.
  const frame = await createImageBitmap(source.canvas);
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const table = new Uint8ClampedArray(256);
  return async () => {
    const start = performance.now();
    context.drawImage(frame, 0, 0);
    const pixels = context.getImageData(0, 0, width, height);
    const { data } = pixels;
    const [low, high] = levelsOf(data, pixels, clip);
    for (let value = 0; value < 256; value++) table[value] = (255 * (value - low)) / Math.max(high - low, 1);
    for (let at = 0; at < data.length; at += 4) {
      data[at] = table[data[at]];
      data[at + 1] = table[data[at + 1]];
      data[at + 2] = table[data[at + 2]];
    }
    context.putImageData(pixels, 0, 0);
    return performance.now() - start;
  };
}
