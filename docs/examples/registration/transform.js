// Pictures of floats under rigid transforms. A transform { degrees, shift: [x, y] } turns around the center of the
// picture and then moves by pixels.

/** Halves a picture: each pixel is the mean of four. Odd rows and columns at the end are left out. */
export function halved({ data, width, height }) {
  const [columns, rows] = [width >> 1, height >> 1];
  const half = new Float32Array(columns * rows);
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const at = 2 * y * width + 2 * x;
      half[y * columns + x] = (data[at] + data[at + 1] + data[at + width] + data[at + width + 1]) / 4;
    }
  }
  return { data: half, width: columns, height: rows };
}

/**
 * Smooths a picture: each pixel is the mean of its neighbourhood, with the weights 1 2 1 in both directions. Otherwise the
 * interpolation, which averages noise between pixels, would decide the last tenths of a pixel. The border stays.
 */
export function smoothed({ data, width, height }) {
  const out = Float32Array.from(data);
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      const line = (i) => data[i - 1] + 2 * data[i] + data[i + 1];
      out[at] = (line(at - width) + 2 * line(at) + line(at + width)) / 16;
    }
  }
  return { data: out, width, height };
}

/**
 * Looks up where each pixel goes under a transform: the picture's value there, by bilinear interpolation.
 * @param scale pixels of the full picture per pixel of this one, since shifts are in the former.
 * @returns a Float32Array. A pixel that leaves the picture is NaN, which no bin counts.
 */
export function sampled({ data, width, height }, { degrees, shift }, scale) {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [cx, cy] = [(width - 1) / 2, (height - 1) / 2];
  const out = new Float32Array(width * height);
  for (let row = 0, i = 0; row < height; row++) {
    let x = cos * -cx - sin * (row - cy) + cx + shift[0] / scale;
    let y = sin * -cx + cos * (row - cy) + cy + shift[1] / scale;
    for (let column = 0; column < width; column++, i++, x += cos, y += sin) {
      const [x0, y0] = [Math.floor(x), Math.floor(y)];
      if (x0 < 0 || y0 < 0 || x0 + 1 >= width || y0 + 1 >= height) {
        out[i] = Number.NaN;
        continue;
      }
      const [fx, fy, at] = [x - x0, y - y0, y0 * width + x0];
      const top = data[at] + fx * (data[at + 1] - data[at]);
      const bottom = data[at + width] + fx * (data[at + width + 1] - data[at + width]);
      out[i] = top + fy * (bottom - top);
    }
  }
  return out;
}
