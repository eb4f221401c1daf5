import { packParams } from "./params.ts";
import type { Launch } from "./program.ts";

/** What dispatches are bound to, beside their data. */
export interface Bound {
  readonly layout: GPUBindGroupLayout;
  readonly lookup: GPUBuffer;
  readonly counts: GPUBuffer;
  readonly scratch: { readonly [of in Launch["scratch"]]: GPUBuffer };
  readonly params: GPUBuffer;
}

/** The params of dispatches, as `encode` expects them in `bound.params`. */
export function paramsOf(launches: readonly Launch[]): Uint32Array<ArrayBuffer> {
  return packParams(launches.map(({ params }) => params));
}

/** Encodes dispatches, one after the other. */
export function encode(
  device: GPUDevice,
  pass: GPUComputePassEncoder,
  launches: readonly Launch[],
  { layout, lookup, counts, scratch, params }: Bound,
  stride: number,
): void {
  const groups = new Map<GPUBuffer, Map<GPUBuffer, GPUBindGroup>>();
  const groupOf = (data: GPUBuffer, third: GPUBuffer): GPUBindGroup => {
    const of = groups.get(data) ?? new Map<GPUBuffer, GPUBindGroup>();
    groups.set(data, of);
    const bound = [data, lookup, counts, third].map((buffer, binding) => ({ binding, resource: { buffer } }));
    const group =
      of.get(third) ??
      device.createBindGroup({
        layout,
        entries: [...bound, { binding: bound.length, resource: { buffer: params, size: stride } }],
      });
    of.set(third, group);
    return group;
  };
  launches.forEach(({ pipeline, data, scratch: third, grid }, i) => {
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, groupOf(data, scratch[third]), [i * stride]);
    pass.dispatchWorkgroups(...grid);
  });
}
