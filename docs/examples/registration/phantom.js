// Two slices of the same generated head, as two scanners would see it.

/**
 * The tissues from the outside to the inside: an ellipse (center, half axes, tilt in degrees) in a head from -1 to 1, and
 * its brightness in each slice. Bright in one is not bright in the other.
 */
const TISSUES = [
  { x: 0, y: 0, a: 0.72, b: 0.88, tilt: 0, values: [210, 60] },
  { x: 0, y: -0.02, a: 0.66, b: 0.82, tilt: 0, values: [90, 160] },
  { x: 0.24, y: 0, a: 0.13, b: 0.34, tilt: -18, values: [30, 235] },
  { x: -0.24, y: 0, a: 0.17, b: 0.44, tilt: 18, values: [30, 235] },
  { x: 0, y: 0.38, a: 0.22, b: 0.26, tilt: 0, values: [150, 110] },
  { x: -0.3, y: -0.55, a: 0.1, b: 0.06, tilt: 30, values: [230, 40] },
  { x: 0.1, y: -0.6, a: 0.06, b: 0.09, tilt: 0, values: [180, 200] },
];
/** Pixels over which an edge is blurred. */
const BLUR = 1.5;
/** The largest noise that is added to a pixel. */
const NOISE = 4;

/** The brightness of the head at a point, in pixels from the center. */
function headAt(x, y, radius, slice) {
  let value = 12;
  for (const { tilt, values, ...at } of TISSUES) {
    const [cos, sin] = [Math.cos((tilt * Math.PI) / 180), Math.sin((tilt * Math.PI) / 180)];
    const [dx, dy] = [x / radius - at.x, y / radius - at.y];
    const distance = Math.hypot((cos * dx + sin * dy) / at.a, (cos * dy - sin * dx) / at.b) - 1;
    const inside = 1 / (1 + Math.exp((distance * Math.min(at.a, at.b) * radius) / BLUR));
    value += inside * (values[slice] - value);
  }
  return value;
}

/**
 * Draws a slice. The head is rotated by `degrees` around the center of the picture and then moved by `shift` pixels.
 * @param slice 0 or 1: which scanner sees it.
 * @returns a picture `{ data, width, height }` of bytes.
 */
export function slice(size, slice, { degrees, shift }) {
  const data = new Uint8Array(size * size);
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const center = (size - 1) / 2;
  let state = 0x9e3779b9 + slice;
  for (let i = 0; i < data.length; i++) {
    // The point of the unmoved head that lies at this pixel.
    const [dx, dy] = [(i % size) - center - shift[0], Math.floor(i / size) - center - shift[1]];
    const value = headAt(cos * dx + sin * dy, cos * dy - sin * dx, 0.45 * size, slice);
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    data[i] = Math.round(value + (state / 2 ** 31) * NOISE);
  }
  return { data, width: size, height: size };
}
