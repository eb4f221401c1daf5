// What the viewer replaces: it reads every frame back, counts it in a loop on the page's thread, and sends levels back.

/** Rows of a copied texture begin at multiples of this number of bytes. */
const ROW = 256;

/** The same levels as LEVELS in shaders.js finds, from pixels in memory: the lowest and highest values, 0 to 255. */
export function levelsOf(pixels, { width, height, pitch = width * 4 }, clip) {
  const counts = new Uint32Array(256);
  for (let y = 0; y < height; y++) {
    for (let at = y * pitch, end = at + width * 4; at < end; at += 4) {
      counts[pixels[at]] += 1;
      counts[pixels[at + 1]] += 1;
      counts[pixels[at + 2]] += 1;
    }
  }
  const clipped = Math.floor(Math.fround(Math.fround(3 * width * height) * Math.fround(clip)));
  let [low, high] = [0, 255];
  for (let below = counts[0]; below <= clipped; below += counts[low]) low += 1;
  for (let above = counts[255]; above <= clipped; above += counts[high]) high -= 1;
  return [low, high];
}

/** Reads a texture's pixels back, again and again, through one buffer. */
export function createReader(device, texture) {
  const { width, height } = texture;
  const pitch = Math.ceil((width * 4) / ROW) * ROW;
  const buffer = device.createBuffer({ size: pitch * height, usage: 8 | 1 });
  return {
    /** Resolves to what `use` makes of the pixels. */
    async read(use) {
      const encoder = device.createCommandEncoder();
      encoder.copyTextureToBuffer({ texture }, { buffer, bytesPerRow: pitch }, [width, height]);
      device.queue.submit([encoder.finish()]);
      await buffer.mapAsync(1);
      const result = use(new Uint8Array(buffer.getMappedRange()), { width, height, pitch });
      buffer.unmap();
      return result;
    },
    destroy: () => buffer.destroy(),
  };
}
