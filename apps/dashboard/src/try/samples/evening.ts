/** Red, green and blue of a drawn picture, interleaved. */
export interface Drawn {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array<ArrayBuffer>;
}

type Colour = readonly [red: number, green: number, blue: number];

/** xorshift32: the same numbers everywhere. */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

const mix = (a: number, b: number, part: number, whole: number): number =>
  Math.floor((a * (whole - part) + b * part) / whole);
const mixColour = (a: Colour, b: Colour, part: number, whole: number): Colour => [
  mix(a[0], b[0], part, whole),
  mix(a[1], b[1], part, whole),
  mix(a[2], b[2], part, whole),
];
const clamp = (value: number, most: number): number => Math.min(Math.max(value, 0), most);

/** Heights of a ridge by midpoint displacement, `width` of them. */
function ridge(width: number, base: number, roughness: number, next: () => number): readonly number[] {
  let points = [base, base];
  for (let spread = roughness; points.length < width; spread = Math.floor((spread * 5) / 9)) {
    const finer: number[] = [];
    for (let i = 0; i + 1 < points.length; i++) {
      const shift = spread > 0 ? (next() % (2 * spread + 1)) - spread : 0;
      finer.push(points[i]!, Math.floor((points[i]! + points[i + 1]!) / 2) + shift);
    }
    points = [...finer, points.at(-1)!];
  }
  return points.slice(0, width);
}

/**
 * Draws an evening over three ranges of hills: a smooth sky, a white-hot sun, dark flat hills, a lake with its glitter. It
 * uses integer arithmetic and a fixed generator only, so every machine draws the same pixels. `evening.png` of the command
 * has them, too.
 */
export function evening(): Drawn {
  const [width, height] = [640, 480];
  const next = generator(0x9e3779b9);
  const pixels = new Uint8Array(width * height * 3);
  const shore = 380;
  const sun = { x: 430, y: 235, radius: 46 };
  const hills: readonly { readonly top: readonly number[]; readonly colour: Colour }[] = [
    { top: ridge(width, 290, 90, next), colour: [112, 92, 128] },
    { top: ridge(width, 325, 70, next), colour: [72, 60, 92] },
    { top: ridge(width, 358, 40, next), colour: [34, 30, 46] },
  ];
  const sky = (y: number): Colour =>
    y < 190
      ? mixColour([28, 44, 104], [206, 118, 110], y, 190)
      : mixColour([206, 118, 110], [255, 204, 120], Math.min(y - 190, 150), 150);

  const scene = (x: number, y: number): Colour => {
    const hill = hills.findLast(({ top }) => y >= top[x]!);
    if (hill !== undefined) return hill.colour;
    const distance = (x - sun.x) ** 2 + (y - sun.y) ** 2;
    if (distance <= sun.radius ** 2) return [255, 250, 226];
    const glow = 170 ** 2;
    return distance < glow
      ? mixColour([255, 226, 150], sky(y), Math.floor(Math.sqrt(distance)), 170)
      : sky(y);
  };

  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let colour: Colour;
      if (y < shore) {
        colour = scene(x, y);
      } else {
        // The lake mirrors what is above it, darker, and glitters below the sun.
        const depth = y - shore;
        const sway = ((next() >>> 8) % (1 + (depth >> 3))) - (depth >> 4);
        colour = mixColour(scene(clamp(x + sway, width - 1), shore - 1 - depth * 3), [14, 26, 52], 55, 100);
        const beam = 18 + depth;
        if (Math.abs(x - sun.x) < beam && (next() >>> 4) % 7 === 0) colour = [255, 232, 178];
      }
      // Film grain, a little more in the blue: without it flat areas would be single spikes.
      for (let channel = 0; channel < 3; channel++) {
        const grain = [-1, 0, 0, 0, 0, 1][(next() >>> 5) % 6]! * (channel === 2 ? 2 : 1);
        pixels[(y * width + x) * 3 + channel] = clamp(colour[channel]! + grain, 255);
      }
    }
  }
  return { width, height, pixels };
}
