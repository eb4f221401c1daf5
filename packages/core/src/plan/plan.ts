import { divideCeiling } from "../base/index.ts";
import type { CellsPlan } from "./cells-plan.ts";
import type { ChannelsPlan } from "./channels-plan.ts";
import { describeParameters } from "./parameters.ts";
import type { SumsPlan } from "./weighted-launch.ts";

/**
 * Everything that a kernel needs to know, computed before it runs: frozen, comparable, printable. A kernel that
 * receives a plan chooses no numbers and does not check them again. Its kind says what samples find: a bin of their
 * channel, a cell of several columns, or a bin of a table's feature.
 */
export type Plan = ChannelsPlan | CellsPlan | SumsPlan;

/** Describes a plan in one line, for logs. */
export function describePlan(of: Plan): string {
  const parts = of.kind === "channels" ? channels(of) : of.kind === "cells" ? cells(of) : sums(of);
  return `${of.algorithm}: ${[...parts, ...describeParameters(of.parameters)].join(", ")}`;
}

function channels(of: ChannelsPlan): string[] {
  return [
    `${of.blocks} x ${of.threads} threads`,
    `${of.replicas} x ${of.cells} counters of ${of.counterBits} bits`,
    `${of.sharedBytes} bytes per block`,
    ...(of.partials === undefined ? [] : [`${of.partials.tables} partial tables`]),
    ...(of.segments === undefined ? [] : [`${of.segments.count} segments of up to ${of.segments.longest}`]),
    ...(of.passes > 1 ? [`${of.passes} passes`] : []),
  ];
}

function cells(of: CellsPlan): string[] {
  const extents = of.columns.map(({ by, shift, extent }) => `${extent} ${by}${shift ? ` >> ${shift}` : ""}`);
  return [
    `${of.cells} cells (${extents.join(" x ")})`,
    `${of.blocks} x ${of.threads} threads`,
    of.table === "global"
      ? `counters of ${of.counterBits} bits in global memory`
      : `${of.replicas} x ${Math.min(of.cells, of.cellsPerPass)} counters of ${of.counterBits} bits`,
    `${of.sharedBytes} bytes per block`,
    ...(of.mask === "none" ? [] : [`a mask of ${of.mask}`]),
    ...(of.listed ? ["samples by index"] : []),
    ...(of.staged ? ["a first pass writes cells"] : []),
    ...(of.passes > 1 ? [`${of.passes} passes`] : []),
  ];
}

function sums(of: SumsPlan): string[] {
  const blocks = divideCeiling(of.features, of.featuresPerBlock) * of.segments;
  return [
    `${of.features} features of ${of.bins} bins`,
    `${blocks} x ${of.threads} threads`,
    ...(of.segments > 1 ? [`${of.segments} segments`] : []),
    `${of.replicas} tables per feature`,
    of.counts ? `counters of ${of.counterBits} bits` : "no counters",
    `${of.precision === "fast" ? "float sums" : "sums"} of ${of.sumBits} bits${of.squares ? " and squares" : ""}`,
    `${of.sharedBytes} bytes per block`,
    ...(of.flushDocuments === null ? [] : [`flushed every ${of.flushDocuments} documents`]),
    ...(of.passes > 1 ? [`${of.passes} passes`] : []),
    ...(of.subHistogramBytes > 0 ? [`sub-histograms of ${of.subHistogramBytes} bytes`] : []),
  ];
}
