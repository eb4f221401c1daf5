import type { External, SampleType } from "@polybin/core";
import { checkedWhole, checkNames, expected } from "@polybin/core/backend";
import { type Known, type ShaderText, type WebgpuLimits, wrong } from "../base/index.ts";
import { gridFor, packTexels, plainThreads, SHADERS, type Texels } from "../kernels/index.ts";
import { type Pipelines, TEXTURE, type TexelType } from "../platform/index.ts";
import { padded } from "./buffers.ts";
import { DeviceSamples, type Piece, pieceBytes, type Run, runsOf } from "./external.ts";
import { pixelBytesOf } from "./source.ts";

/** A rectangle of texels. */
export interface TextureSamplesOptions {
  /** Left and top texel in the mip level. Default: [0, 0]. */
  readonly origin?: readonly [x: number, y: number] | undefined;
  /** Width and height in texels. Default: from `origin` to the end of the mip level. */
  readonly size?: readonly [width: number, height: number] | undefined;
  /** The mip level; 0 is the largest. Default: 0. */
  readonly mipLevel?: number | undefined;
  /** The layer of an array texture. Default: 0. */
  readonly layer?: number | undefined;
}

const NAMES = ["origin", "size", "mipLevel", "layer"] satisfies (keyof TextureSamplesOptions)[];

/** A format's texels as samples, and the WGSL that loads them. */
interface Format {
  readonly type: SampleType;
  readonly channels: number;
  readonly texels: TexelType;
  readonly part: ShaderText;
}

const BYTES_4: Format = {
  type: "u8",
  channels: 4,
  texels: "unfilterable-float",
  part: SHADERS["lib/texels-unorm-8x4"],
};
const FORMATS: Readonly<Partial<Record<GPUTextureFormat, Format>>> = {
  rgba8unorm: BYTES_4,
  bgra8unorm: BYTES_4,
  r8unorm: { type: "u8", channels: 1, texels: "unfilterable-float", part: SHADERS["lib/texels-unorm-8"] },
  r16uint: { type: "u16", channels: 1, texels: "uint", part: SHADERS["lib/texels-uint-16"] },
  r32float: { type: "f32", channels: 1, texels: "unfilterable-float", part: SHADERS["lib/texels-float-32"] },
};

/**
 * Wraps texels of a 2D GPUTexture with TEXTURE_BINDING usage, so that an engine counts them in their stored bits. A
 * texel of rgba8unorm and bgra8unorm has four channels of u8: red, green, blue, alpha. r8unorm has u8, r16uint has u16,
 * and r32float has f32. A count reads what the texture holds when the count runs on the queue. The engine must use the
 * texture's device: `webgpu({ device })`.
 * @throws ERR_INPUT for another format, dimension or usage, for several samples per texel, or for texels outside the
 * texture. A count throws ERR_INPUT if the texture is destroyed or from another device.
 */
export function textureSamples(texture: Known<"GPUTexture">, options: TextureSamplesOptions = {}): External {
  if (typeof (texture as GPUTexture | null | undefined)?.createView !== "function") {
    throw expected("ERR_INPUT", "texture", "a GPUTexture", texture);
  }
  checkNames(options, NAMES);
  const { dimension, sampleCount, usage } = texture;
  const format = FORMATS[texture.format];
  if (format === undefined) {
    throw wrong(`expected a texture of ${Object.keys(FORMATS).join(", ")} but received ${texture.format}`);
  }
  if (dimension !== "2d" || sampleCount !== 1) {
    throw wrong(
      `expected a 2d texture with one sample per texel but received ${dimension} with ${sampleCount}`,
    );
  }
  if ((usage & TEXTURE.TEXTURE_BINDING) === 0) {
    throw wrong(`expected TEXTURE_BINDING usage of texture but it has 0x${usage.toString(16)}`);
  }
  const mipLevel = checkedWhole(options.mipLevel ?? 0, "mipLevel", 0, texture.mipLevelCount - 1);
  const layer = checkedWhole(options.layer ?? 0, "layer", 0, texture.depthOrArrayLayers - 1);
  const across = Math.max(1, texture.width >>> mipLevel);
  const down = Math.max(1, texture.height >>> mipLevel);
  const [left, top] = pair(options.origin ?? [0, 0], "origin", across, down);
  const [width, height] = pair(
    options.size ?? [across - left, down - top],
    "size",
    across - left,
    down - top,
  );
  return new TextureSamples({ texture, format, mipLevel, layer, region: { x: left, y: top, width, height } });
}

function pair(value: unknown, name: string, mostX: number, mostY: number): [number, number] {
  if (!Array.isArray(value) || value.length !== 2) {
    throw expected("ERR_INPUT", name, "an array of two whole numbers", value);
  }
  return [checkedWhole(value[0], `${name}[0]`, 0, mostX), checkedWhole(value[1], `${name}[1]`, 0, mostY)];
}

/** Texels of one level and layer. */
interface Place {
  readonly texture: GPUTexture;
  readonly format: Format;
  readonly mipLevel: number;
  readonly layer: number;
  readonly region: Run;
}

class TextureSamples extends DeviceSamples {
  readonly #at: Place;

  constructor(at: Place) {
    super({ ...at.format, pixels: at.region.width * at.region.height });
    this.#at = at;
  }

  check(): void {}

  #view(): GPUTextureView {
    const { texture, mipLevel: baseMipLevel, layer: baseArrayLayer } = this.#at;
    const one = { dimension: "2d", mipLevelCount: 1, arrayLayerCount: 1 } as const;
    return texture.createView({ ...one, baseMipLevel, baseArrayLayer });
  }

  async pieces(pipelines: Pipelines, of: WebgpuLimits): Promise<readonly Piece[]> {
    if (this.pixels === 0) return [];
    const { format, region } = this.#at;
    const { texels: type, part } = format;
    const threads = plainThreads(of);
    const ready = await pipelines.ready(packTexels(threads, type, part));
    // The view is created where it is bound, inside the error scope that catches an invalid texture. All pieces share
    // it.
    const make = () => this.#view();
    let view: GPUTextureView | null = null;
    const texels: Texels = {
      type,
      get view() {
        view ??= make();
        return view;
      },
    };
    const pixelBytes = pixelBytesOf(this);
    const most = Math.min(Math.floor(pieceBytes(of) / pixelBytes), of.chunkSamples);
    return Array.from(runsOf(region, most), ({ x, y, width, height }): Piece => {
      const pixels = width * height;
      const params = { count: pixels, rowSize: width, left: region.x + x, top: region.y + y };
      const grid = [gridFor(pixels, threads, of)] as const;
      return {
        pixels,
        data: "dense",
        denseBytes: padded(pixels * pixelBytes),
        before: [{ ...ready, params, data: "none", scratch: "dense", texels, grid }],
      };
    });
  }
}
