// Registers two generated slices on every backend that works here.
import { cpu, openEngine } from "@polybin/core";
import { cuda } from "@polybin/cuda";
import { piscina } from "@polybin/piscina";
import { webgpu } from "@polybin/webgpu";
import { slice } from "./phantom.js";
import { register } from "./register.js";

const SIZE = 256;
const TRUTH = { degrees: 7.5, shift: [11.25, -4.5] };

const fixed = slice(SIZE, 0, { degrees: 0, shift: [0, 0] });
const moving = slice(SIZE, 1, TRUTH);
for (const backend of [cpu(), piscina(), webgpu(), cuda()]) {
  const probe = await backend.probe();
  if (!probe.available) {
    console.log(`${backend.id} does not work here: ${probe.reason}`);
    continue;
  }
  await using engine = await openEngine({ backend });
  const { degrees, shift, evaluations, seconds } = await register(engine, fixed, moving);
  const [x, y] = shift.map((pixels) => pixels.toFixed(2));
  console.log(
    `${backend.id}: ${degrees.toFixed(2)} degrees, shift (${x}, ${y}); ` +
      `${evaluations} evaluations, ${Math.round(evaluations / seconds)} per second`,
  );
}
