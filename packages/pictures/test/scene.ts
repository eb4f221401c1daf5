import sharp, { type Sharp } from "sharp";

/** Reproducible bytes that are not uniform. */
export function noise(length: number, seed = 1): Uint8Array {
  let state = seed | 1;
  return Uint8Array.from({ length }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 8) & (state >>> 20) & 0xff;
  });
}

/**
 * A picture like a photo, with a fixed seed: slow shades, edges, fine grain, and different channels for the colours.
 * Values lie from 0 to `most`.
 */
export function scene(width: number, height: number, channels: 1 | 3, most: 255 | 65_535): Uint16Array {
  const grain = noise(width * height * channels, width);
  return Uint16Array.from(grain, (byte, i) => {
    const channel = i % channels;
    const x = ((i - channel) / channels) % width;
    const y = Math.floor(i / channels / width);
    const shade = 0.4 + 0.3 * Math.sin(x / 37 + channel) * Math.cos(y / (53 - 9 * channel));
    const edge = (x - width / 2) ** 2 + (y - height / 2) ** 2 < (height / 3) ** 2 ? 0.2 : 0;
    return Math.round(most * Math.min(1, Math.max(0, shade + edge + byte / 4096)));
  });
}

/** The same for sharp, which writes it in many formats. */
export function sharpScene(width: number, height: number, channels: 1 | 3, depth: 8 | 16): Sharp {
  const values = scene(width, height, channels, depth === 8 ? 255 : 65_535);
  const data = depth === 8 ? Uint8Array.from(values) : values;
  const picture = sharp(data, { raw: { width, height, channels } });
  if (channels === 3) return picture;
  return picture.toColourspace(depth === 8 ? "b-w" : "grey16");
}
