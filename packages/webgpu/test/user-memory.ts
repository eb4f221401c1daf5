import type { SampleType } from "@polybin/core";
import { SAMPLE_TRAITS } from "@polybin/core/backend";

/** WebGPU's usage bits. Dawn in Node defines no globals for them. */
export const BUFFER = { MAP_READ: 1, COPY_SRC: 4, COPY_DST: 8, STORAGE: 0x80 } as const;
export const TEXTURE = { COPY_DST: 2, TEXTURE_BINDING: 4 } as const;

/** Quiet and signalling NaN of either sign, some with all bits set. */
export const NAN_BITS: readonly number[] = [
  0x7fc0_0000, 0xffc0_0000, 0x7f80_0001, 0xff80_0001, 0x7fff_ffff, 0xffff_ffff,
];

/**
 * The same bytes in every run: any bytes for integers, and mostly numbers around zero for floats, with some special
 * values.
 */
export function bytesOf(type: SampleType, length: number, seed = 1): Uint8Array<ArrayBuffer> {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const { bytes: size, integer } = SAMPLE_TRAITS[type];
  const out = new Uint8Array(length);
  if (integer) return out.map(() => Math.floor(next() * 256));
  const view = new DataView(out.buffer);
  for (let at = 0; at + size <= length; at += size) {
    const kind = Math.floor(next() * 40);
    const value = kind === 0 ? Number.NaN : kind === 1 ? -Infinity : kind === 2 ? Infinity : next() * 2 - 1;
    if (size === 4) view.setFloat32(at, value, true);
    else view.setFloat64(at, value, true);
  }
  return out;
}

/** A buffer with these bytes, padded to words, with STORAGE usage only. */
export function filledBuffer(device: GPUDevice, bytes: Uint8Array): GPUBuffer {
  const size = Math.ceil(bytes.length / 4) * 4;
  const buffer = device.createBuffer({
    size,
    usage: BUFFER.STORAGE | BUFFER.COPY_DST,
    mappedAtCreation: true,
  });
  new Uint8Array(buffer.getMappedRange()).set(bytes);
  buffer.unmap();
  return buffer;
}

interface TextureShape {
  readonly width: number;
  readonly height: number;
  readonly layers: number;
  readonly levels: number;
}

/** A texture whose layers and levels all hold different bytes. */
export function filledTexture(
  device: GPUDevice,
  format: GPUTextureFormat,
  texelBytes: number,
  { width, height, layers, levels }: TextureShape,
  type: SampleType,
): { texture: GPUTexture; bytesAt: (layer: number, level: number) => Uint8Array<ArrayBuffer> } {
  const texture = device.createTexture({
    format,
    size: [width, height, layers],
    mipLevelCount: levels,
    usage: TEXTURE.TEXTURE_BINDING | TEXTURE.COPY_DST,
  });
  const sizeOf = (level: number) =>
    [Math.floor(width / 2 ** level), Math.floor(height / 2 ** level)] as const;
  const bytesAt = (layer: number, level: number) => {
    const [across, down] = sizeOf(level);
    return bytesOf(type, across * down * texelBytes, 1 + layer * levels + level);
  };
  for (let layer = 0; layer < layers; layer++) {
    for (let level = 0; level < levels; level++) {
      const [across, down] = sizeOf(level);
      const layout = { bytesPerRow: across * texelBytes };
      device.queue.writeTexture(
        { texture, mipLevel: level, origin: [0, 0, layer] },
        bytesAt(layer, level),
        layout,
        [across, down],
      );
    }
  }
  return { texture, bytesAt };
}
