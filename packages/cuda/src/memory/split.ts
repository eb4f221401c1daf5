import { limits } from "@polybin/core/backend";
import { ALIGN_PIXELS } from "../base/index.ts";

/** A device's part of some pixels. */
export interface Part {
  /** Index of the device, from 0 on. */
  readonly device: number;
  readonly first: number;
  readonly pixels: number;
}

/**
 * Splits pixels into parts for `devices` devices, in order and without gaps. Parts start at multiples of ALIGN_PIXELS
 * and differ by at most ALIGN_PIXELS pixels. A device for which nothing remains has no part.
 */
export function split(pixels: number, devices: number): Part[] {
  const groups = limits.divideCeiling(pixels, ALIGN_PIXELS);
  const start = (device: number) =>
    Math.min(pixels, limits.divideCeiling(device * groups, devices) * ALIGN_PIXELS);
  return Array.from({ length: devices }, (_, device) => ({
    device,
    first: start(device),
    pixels: start(device + 1) - start(device),
  })).filter((part) => part.pixels > 0);
}

/** Rows [first, first + rows) of a table in the memory of one device. */
export interface TablePart {
  /** Index of the device, from 0 on. */
  readonly device: number;
  readonly first: number;
  readonly rows: number;
}

/**
 * Splits features into nearly equal parts for `devices` devices, in order. A device for which none remains has no part.
 */
export function splitFeatures(features: number, devices: number): TablePart[] {
  const start = (device: number) => Math.floor((device * features) / devices);
  return Array.from({ length: devices }, (_, device) => ({
    device,
    first: start(device),
    rows: start(device + 1) - start(device),
  })).filter(({ rows }) => rows > 0);
}
