import { type Dispatch, PARAMS_STRIDE, packed, type Scratch } from "../../kernels/index.ts";
import type { Hardware } from "../../platform/index.ts";
import type { Context } from "../context.ts";

/** A dispatch whose bindings are known, except for that of its params, which comes last. */
export interface Command extends Pick<Dispatch, "pipeline" | "kernel" | "params" | "grid" | "texels"> {
  readonly resources: readonly GPUBufferBinding[];
}

/** A command that is bound to its params. */
export interface Step extends Pick<Dispatch, "pipeline" | "grid"> {
  readonly groups: readonly GPUBindGroup[];
  /** The offset of its params in bytes. */
  readonly offset: number;
}

/** Buffers of the names in dispatches. A name without a buffer has null. */
export interface Places
  extends Partial<Record<"lookup" | "codes" | "histograms" | "dense", GPUBuffer | null>> {
  /** The buffers to bind if a kernel reads or writes nothing. */
  readonly nothing: { readonly read: GPUBuffer; readonly written: GPUBuffer };
  readonly counts: GPUBufferBinding;
  readonly into?: GPUBufferBinding;
}

/** Returns dispatches with what their names stand for. */
export function placed(dispatches: readonly Dispatch[], places: Places): Command[] {
  const { nothing, counts, lookup, codes, histograms, dense, into } = places;
  const read = { buffer: nothing.read };
  const none = { buffer: nothing.written };
  const whole = (buffer: GPUBuffer | null | undefined) => (buffer ? { buffer } : none);
  const scratch: Readonly<Record<Scratch, GPUBufferBinding>> = {
    none,
    codes: whole(codes),
    histograms: whole(histograms),
    dense: whole(dense),
    into: into ?? none,
  };
  const table = lookup ? { buffer: lookup } : read;
  return dispatches.map(({ data, scratch: third, ...of }) => {
    const samples = data === "none" ? read : typeof data === "string" ? scratch[data] : data;
    return { ...of, resources: [samples, table, counts, scratch[third]] };
  });
}

/** Binds commands. Those with the same resources share a group. `first` is the place of their params among all params. */
export function bind(
  { device, pipelines }: Hardware,
  commands: readonly Command[],
  params: GPUBuffer,
  first = 0,
): Step[] {
  const uniform = { buffer: params, size: PARAMS_STRIDE };
  const groupOf = (layout: GPUBindGroupLayout, all: readonly GPUBindingResource[]) =>
    device.createBindGroup({ layout, entries: all.map((resource, binding) => ({ binding, resource })) });
  const groups: { readonly of: Command; readonly group: GPUBindGroup }[] = [];
  const shared = (command: Command): GPUBindGroup => {
    const { kernel, resources } = command;
    const known = groups.findLast(
      ({ of }) =>
        of.kernel.bindings === kernel.bindings && of.resources.every((one, i) => one === resources[i]),
    );
    if (known !== undefined) return known.group;
    const group = groupOf(pipelines.layout(kernel.bindings ?? "counts"), [...resources, uniform]);
    groups.push({ of: command, group });
    return group;
  };
  return commands.map((command, i) => {
    const { pipeline, grid, texels } = command;
    const own = texels === undefined ? [] : [groupOf(pipelines.texelLayout(texels.type), [texels.view])];
    return { pipeline, grid, offset: (first + i) * PARAMS_STRIDE, groups: [shared(command), ...own] };
  });
}

/**
 * Encodes steps in order. Their counts go `to` bytes past the bound place. `set` is the pipeline that the pass has set.
 * @returns the pipeline that the pass has set afterwards.
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

/** Records commands as a pass, with their params in the buffer that calls share. Call this in an error scope. */
export function recordPass(
  { hardware, buffers }: Context,
  encoder: GPUCommandEncoder,
  commands: readonly Command[],
  times: GPUComputePassDescriptor = {},
): void {
  const words = packed(commands);
  const params = buffers.params.of(words.byteLength);
  hardware.device.queue.writeBuffer(params, 0, words);
  const pass = encoder.beginComputePass(times);
  encode(pass, bind(hardware, commands, params));
  pass.end();
}
