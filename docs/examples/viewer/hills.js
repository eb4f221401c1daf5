const mix = (a, b, part) => a + (b - a) * Math.min(1, Math.max(0, part));
const HILLS = 4;
const FOG = [0.62, 0.64, 0.68];

/** The height of a hill, from 0 at the top of the picture. */
const hill = (x, i) =>
  0.3 + 0.13 * i + 0.09 * Math.sin(x * (2 + i) + i * 4.1) + 0.03 * Math.sin(x * (9 - i) + i);

/** Paints hills behind a fog that comes and goes, as SCENE in shaders.js does, but on the CPU and without its grain. */
export function hills({ data, width, height }, seconds) {
  const wide = width / height;
  const fog = 0.62 + 0.16 * Math.sin(seconds * 0.7);
  const tops = Array.from({ length: HILLS }, (_, i) =>
    Float32Array.from({ length: width }, (_, x) => hill((x / width) * wide + 0.05 * seconds + i, i)),
  );
  for (let y = 0, at = 0; y < height; y++) {
    const down = y / height;
    const sky = [mix(0.15, 1, down * 1.4), mix(0.3, 0.75, down * 1.4), mix(0.75, 0.45, down * 1.4)];
    for (let x = 0; x < width; x++, at += 4) {
      let [red, green, blue] = sky;
      const sun = Math.hypot((x / width) * wide - 1.2, down - 0.3);
      if (sun < 0.08) [red, green, blue] = [1, 0.98, 0.85];
      for (let i = 0; i < HILLS; i++) {
        if (down <= tops[i][x]) continue;
        const light = 0.95 - 0.28 * i;
        [red, green, blue] = [0.5 * light, 0.35 * light + 0.02 * i, 0.3 * light + 0.05 * i];
      }
      data[at] = 255 * mix(red, FOG[0], fog);
      data[at + 1] = 255 * mix(green, FOG[1], fog);
      data[at + 2] = 255 * mix(blue, FOG[2], fog);
      data[at + 3] = 255;
    }
  }
}
