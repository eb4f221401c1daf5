import { type Data, type Dispatch, PARAMS_STRIDE, type Scratch } from "../kernels/index.ts";
import type { Pipelines } from "../platform/index.ts";

/** What dispatches are bound to, beside data that is theirs. */
export interface Bound {
  readonly pipelines: Pipelines;
  /** What is bound where a kernel reads nothing. */
  readonly nothing: GPUBuffer;
  readonly lookup: GPUBuffer;
  readonly counts: GPUBufferBinding;
  readonly scratch: { readonly [of in Scratch]: GPUBufferBinding };
  readonly params: GPUBuffer;
}

/** A dispatch with all that it is bound to. */
export interface Step extends Pick<Dispatch, "pipeline" | "grid"> {
  readonly groups: readonly GPUBindGroup[];
  /** Where its params begin. */
  readonly offset: number;
}

/** Binds dispatches; those with the same data share a group. */
export function bind(device: GPUDevice, dispatches: readonly Dispatch[], to: Bound): Step[] {
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
    offset: i * PARAMS_STRIDE,
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

/** Encodes dispatches, one after the other; counts go `to` so many bytes further than they were bound. */
export function encode(pass: GPUComputePassEncoder, steps: readonly Step[], to = 0): void {
  for (const { pipeline, groups, offset, grid } of steps) {
    pass.setPipeline(pipeline);
    groups.forEach((group, i) => {
      pass.setBindGroup(i, group, i === 0 ? [to, offset] : []);
    });
    pass.dispatchWorkgroups(...grid);
  }
}
