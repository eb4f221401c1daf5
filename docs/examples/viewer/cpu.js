import { openEngine } from "@polybin/core";
import { hills } from "./hills.js";
import { stretchTable } from "./stretch.js";

const BINS = 256;
const COLOURS = ["#ff5a4f", "#46b566", "#5f8dff"];
/** The most pixels of a frame. A larger one is drawn smaller, so that the CPU keeps up with a camera. */
const MOST_PIXELS = 640 * 360;

/** The size of a frame that a CPU keeps up with, in the same proportions. */
function smaller([width, height]) {
  const scale = Math.min(1, Math.sqrt(MOST_PIXELS / (width * height)));
  return [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
}

/** Shows frames with automatic contrast on the CPU, for a browser without a GPU. */
export async function cpuShow({ view, chart }) {
  const engine = await openEngine();
  Object.assign(chart, { width: 768, height: 128 });
  const pen = view.getContext("2d", { willReadFrequently: true });
  const ink = chart.getContext("2d");
  /** Puts the next frame on the canvas, and returns its pixels. */
  let take;
  let split = 0;
  let levels = null;

  function begin(size, taker) {
    Object.assign(view, { width: size[0], height: size[1] });
    levels = null;
    take = taker;
  }

  return {
    by: "the CPU",
    async showScene(given) {
      const size = smaller(given);
      const image = new ImageData(...size);
      begin(size, () => {
        hills(image, performance.now() / 1000);
        return image;
      });
    },
    async showVideo(video) {
      const size = smaller([video.videoWidth, video.videoHeight]);
      begin(size, () => {
        pen.drawImage(video, 0, 0, ...size);
        return pen.getImageData(0, 0, ...size);
      });
    },
    splitAt(part) {
      split = Math.round(view.width * part);
    },
    async draw({ clip, speed }) {
      const image = take();
      const found = await engine.histograms({ data: image.data, channels: 4 }, { bins: BINS });
      const counts = found.slice(0, 3).map((histogram) => histogram.counts);
      const now = levelsIn(counts, clip);
      levels = levels === null ? now : levels.map((level, i) => level + (now[i] - level) * speed);
      stretch(image, stretchTable(levels), split);
      pen.putImageData(image, 0, 0);
      drawChart(ink, counts, now);
    },
  };
}

/** The lowest and the highest value between which all but a part of the samples lie. */
function levelsIn(counts, clip) {
  const all = Float64Array.from({ length: BINS }, (_, value) =>
    counts.reduce((sum, of) => sum + of[value], 0),
  );
  const clipped = all.reduce((sum, count) => sum + count, 0) * clip;
  let [low, high] = [0, BINS - 1];
  for (let below = all[0]; below <= clipped && low < high; below += all[low]) low += 1;
  for (let above = all[BINS - 1]; above <= clipped && high > low; above += all[high]) high -= 1;
  return [low, high];
}

function stretch({ data, width, height }, table, split) {
  for (let y = 0; y < height; y++) {
    const row = y * width;
    for (let at = 4 * (row + split), end = 4 * (row + width); at < end; at += 4) {
      data[at] = table[data[at]];
      data[at + 1] = table[data[at + 1]];
      data[at + 2] = table[data[at + 2]];
    }
  }
}

/** Draws a bar for each value and channel. The brightness between the levels stands out. */
function drawChart(ink, counts, [low, high]) {
  const { width, height } = ink.canvas;
  const most = Math.max(1, ...counts.flatMap((of) => [...of]));
  const each = width / BINS;
  ink.globalCompositeOperation = "source-over";
  ink.fillStyle = "#000";
  ink.fillRect(0, 0, width, height);
  ink.globalCompositeOperation = "lighter";
  for (const [channel, of] of counts.entries()) {
    ink.fillStyle = COLOURS[channel];
    for (let value = 0; value < BINS; value++) {
      ink.globalAlpha = value >= low && value <= high ? 0.9 : 0.3;
      const tall = (0.95 * height * of[value]) / most;
      ink.fillRect(value * each, height - tall, each, tall);
    }
  }
  ink.globalAlpha = 1;
}
