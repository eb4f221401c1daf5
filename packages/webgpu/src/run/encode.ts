import { type Data, type Dispatch, PARAMS_STRIDE, type Scratch } from "../kernels/index.ts";
import type { Pipelines } from "../platform/index.ts";

/** The resources that dispatches are bound to, in addition to their own data. */
export interface Bound {
  readonly pipelines: Pipelines;
  /** The buffer to bind if a kernel reads nothing. */
  readonly nothing: GPUBuffer;
  readonly lookup: GPUBuffer;
  readonly counts: GPUBufferBinding;
  readonly scratch: { readonly [of in Scratch]: GPUBufferBinding };
  readonly params: GPUBuffer;
}

/** A dispatch with all of its bindings. */
export interface Step extends Pick<Dispatch, "pipeline" | "grid"> {
  readonly groups: readonly GPUBindGroup[];
  /** The offset of its params in bytes. */
  readonly offset: number;
}

/** Binds dispatches. Those with the same data share a group. `first` is the place of their params among all params. */
export function bind(device: GPUDevice, dispatches: readonly Dispatch[], to: Bound, first = 0): Step[] {
  const { pipelines, nothing, lookup, counts, scratch, params } = to;
  const groups = new Map<Data, Map<Scratch, GPUBindGroup>>();
  const resourceOf = (data: Data): GPUBufferBinding => {
    if (data === "none") return { buffer: nothing };
    return typeof data === "string" ? scratch[data] : data;
  };
  const groupOf = (data: Data, third: Scratch): GPUBindGroup => {
    const of = groups.get(data) ?? new Map<Scratch, GPUBindGroup>();
    groups.set(data, of);
    const bound = [resourceOf(data), { buffer: lookup }, counts, scratch[third]];
    const group =
      of.get(third) ??
      device.createBindGroup({
        layout: pipelines.layout("counts"),
        entries: [...bound, { buffer: params, size: PARAMS_STRIDE }].map((resource, binding) => ({
          binding,
          resource,
        })),
      });
    of.set(third, group);
    return group;
  };
  return dispatches.map(({ pipeline, data, scratch: third, grid, texels }, i) => ({
    pipeline,
    grid,
    offset: (first + i) * PARAMS_STRIDE,
    groups: [
      groupOf(data, third),
      ...(texels === undefined
        ? []
        : [
            device.createBindGroup({
              layout: pipelines.texelLayout(texels.type),
              entries: [{ binding: 0, resource: texels.view }],
            }),
          ]),
    ],
  }));
}

/**
 * Encodes dispatches in order. Their counts go `to` bytes past the bound place. `set` is the pipeline that the pass has
 * set. @returns the pipeline that the pass has set afterwards.
 */
export function encode(
  pass: GPUComputePassEncoder,
  steps: readonly Step[],
  to = 0,
  set: GPUComputePipeline | null = null,
): GPUComputePipeline | null {
  let current = set;
  for (const { pipeline, groups, offset, grid } of steps) {
    if (pipeline !== current) pass.setPipeline(pipeline);
    current = pipeline;
    pass.setBindGroup(0, groups[0]!, [to, offset]);
    if (groups.length > 1) pass.setBindGroup(1, groups[1]!);
    pass.dispatchWorkgroups(...grid);
  }
  return current;
}
