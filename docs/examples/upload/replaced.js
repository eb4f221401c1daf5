// What the endpoint replaces: sharp alone. Both decode with the same library as polybin does.
import sharp from "sharp";

/** Every picture is decoded once, so sharp need not remember any. */
sharp.cache(false);

/** The counts of a picture's channels, by a loop over sharp's raw bytes. It takes pictures of 8 bits only. */
export async function loop(bytes) {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const channels = Array.from({ length: info.channels }, () => ({ counts: new Array(256).fill(0) }));
  for (let at = 0; at < data.length; at += info.channels) {
    for (let c = 0; c < info.channels; c++) channels[c].counts[data[at + c]] += 1;
  }
  return { width: info.width, height: info.height, channels };
}

/** Least, greatest, mean, deviation and sums of each channel, but no counts: sharp returns none. */
export async function stats(bytes) {
  const { channels } = await sharp(bytes).stats();
  return { channels };
}
