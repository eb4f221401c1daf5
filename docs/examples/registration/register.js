// Rigid registration by mutual information: it runs in Node and in browsers, on any engine.
import { mutualInformation } from "@polybin/analysis";
import { regular } from "@polybin/core";
import { halved, sampled, smoothed } from "./transform.js";

const BINS = 48;
/** Halvings of the pictures, from the coarsest to the full size. */
const LEVELS = [2, 1, 0];
/** The first step in pixels of the full size, and the last one at full size. */
const FIRST_STEP = 8;
const LAST_STEP = 1 / 32;
/** Steps of the angle are as many degrees as those of the shift are pixels: what a point 57 pixels off the center moves. */
const DIRECTIONS = [0, 1, 2].flatMap((part) => [-1, 1].map((sign) => [0, 0, 0].with(part, sign)));

/**
 * Finds the rigid transform that takes each pixel of `fixed` to the same place of `moving`.
 * @param engine an open engine of any backend.
 * @param fixed, moving pictures `{ data, width, height }` of bytes, of the same size.
 * @returns `{ degrees, shift, information, evaluations, seconds }`. `information` is in bits.
 */
export async function register(engine, fixed, moving) {
  const axis = regular(BINS, 0, 256);
  const counter = await engine.prepare({
    columns: [
      { type: "f32", axis },
      { type: "f32", axis },
    ],
  });
  let best = { at: [0, 0, 0], information: -Infinity };
  let evaluations = 0;
  const start = performance.now();
  for (const level of LEVELS) {
    const [still, moved] = [fixed, moving].map((picture) => pyramid(picture, level));
    // The fixed picture stays on the device.
    await using column = await engine.upload(still.data);
    const evaluate = async (points) => {
      evaluations += points.length;
      const inputs = points.map((at) => [column, sampled(moved, transformOf(at), 2 ** level)]);
      const joints = await counter.countAll(inputs);
      return joints.map((joint, i) => ({
        at: points[i],
        information: mutualInformation(joint, { base: 2 }),
      }));
    };
    // The information of another level is not comparable.
    [best] = await evaluate([best.at]);
    best = await search(evaluate, best, FIRST_STEP / (level === 2 ? 1 : 4), level === 0 ? LAST_STEP : 0.5);
  }
  const seconds = (performance.now() - start) / 1000;
  return { ...transformOf(best.at), information: best.information, evaluations, seconds };
}

/**
 * The pattern search of R. Hooke and T. A. Jeeves, "'Direct search' solution of numerical and statistical problems", JACM
 * 1961, in batches: all neighbours of a point are evaluated at once, with the point that continues the last move. The step
 * is halved if none of them is better.
 */
async function search(evaluate, from, first, last) {
  let best = from;
  let step = first;
  let move = null;
  while (step >= last) {
    const points = DIRECTIONS.map((direction) => best.at.map((value, i) => value + step * direction[i]));
    if (move !== null) points.push(best.at.map((value, i) => value + move[i]));
    const found = (await evaluate(points)).reduce((a, b) => (b.information > a.information ? b : a));
    if (found.information > best.information) {
      move = found.at.map((value, i) => value - best.at[i]);
      best = found;
    } else {
      step /= 2;
      move = null;
    }
  }
  return best;
}

const transformOf = ([degrees, x, y]) => ({ degrees, shift: [x, y] });

/** A smooth picture of floats, halved a number of times. */
function pyramid(from, times) {
  let picture = smoothed(from);
  for (let i = 0; i < times; i++) picture = halved(picture);
  return picture;
}
