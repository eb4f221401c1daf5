// Registers two generated slices in a page, through WebGPU if the browser has it.
import { openEngine } from "@polybin/core";
import { webgpu } from "@polybin/webgpu";
import { slice } from "./phantom.js";
import { register } from "./register.js";
import { sampled } from "./transform.js";

const SIZE = 256;
const DEGREES = 7.5;
const SHIFT = [11.25, -4.5];

function draw(id, { data, width, height }) {
  const canvas = document.getElementById(id);
  Object.assign(canvas, { width, height });
  const pixels = new ImageData(width, height);
  for (let i = 0; i < data.length; i++) pixels.data.set([data[i], data[i], data[i], 255], 4 * i);
  canvas.getContext("2d").putImageData(pixels, 0, 0);
}

const fixed = slice(SIZE, 0, { degrees: 0, shift: [0, 0] });
const moving = slice(SIZE, 1, { degrees: DEGREES, shift: SHIFT });
draw("fixed", fixed);
draw("moving", moving);

// A GPU that the CPU imitates is passed over, unless the address ends in ?fallback.
const fallback = new URLSearchParams(location.search).has("fallback");
const engine = await openEngine({ backends: [webgpu()], fallback });
const { degrees, shift, evaluations, seconds } = await register(engine, fixed, moving);
draw("found", { ...moving, data: sampled(moving, { degrees, shift }, 1) });
document.getElementById("result").textContent =
  `${engine.backend}: ${degrees.toFixed(2)} degrees, shift (${shift.map((pixels) => pixels.toFixed(2)).join(", ")}) pixels. ` +
  `The second slice was generated with ${DEGREES} degrees and (${SHIFT.join(", ")}) pixels. ` +
  `${evaluations} transforms were tried, ${Math.round(evaluations / seconds)} per second.`;
await engine.close();
