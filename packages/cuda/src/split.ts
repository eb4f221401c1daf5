import { limits } from "@polybin/core/backend";

/** A device's part of some pixels. */
export interface Part {
  /** Which of the devices, counted from 0. */
  readonly device: number;
  readonly first: number;
  readonly pixels: number;
}

/**
 * Pixels in parts for so many devices, in order and without gaps. Parts start at multiples of GPU_ALIGN_PIXELS
 * and differ by at most as many pixels; a device for which nothing is left has no part.
 */
export function split(pixels: number, devices: number): Part[] {
  const groups = limits.divideCeiling(pixels, limits.GPU_ALIGN_PIXELS);
  const start = (device: number) =>
    Math.min(pixels, limits.divideCeiling(device * groups, devices) * limits.GPU_ALIGN_PIXELS);
  return Array.from({ length: devices }, (_, device) => ({
    device,
    first: start(device),
    pixels: start(device + 1) - start(device),
  })).filter((part) => part.pixels > 0);
}
