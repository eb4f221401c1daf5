import type { Struct } from "@polybin/core/backend";
import { failure, Lately, loadedTexts, type ShaderText } from "../base/index.ts";
import { COMPUTE } from "./flags.ts";
import { PIPELINES, TEXTS } from "./limits.ts";
import { constantsOf, declared } from "./wgsl.ts";

/** A kernel as it is compiled: the parts of its text, its entry point, and the plan's numbers. */
export interface Kernel {
  /** Its name for people and in a driver's messages. */
  readonly label: string;
  /** Values that differ between dispatches. Their declaration comes before all texts. */
  readonly params: Struct;
  /** Numbers that WGSL does not allow as overrides, such as the length of an inner array. */
  readonly consts?: Readonly<Record<string, number>>;
  /** Text that belongs to the plan. It comes before the parts. */
  readonly head?: string;
  /** WGSL: the texts of files in their order. */
  readonly parts: readonly ShaderText[];
  readonly entry: string;
  readonly constants: Readonly<Record<string, number>>;
  /** The type of texels, if the kernel reads a texture. */
  readonly texels?: TexelType;
  /** The entry of BINDINGS that it uses. Default: "counts". */
  readonly bindings?: BindingsName;
}

export type TexelType = "unfilterable-float" | "uint";

const READ: GPUBufferBindingLayout = { type: "read-only-storage" };
const WRITTEN: GPUBufferBindingLayout = { type: "storage" };
/** The offsets of counts and of params are set with the dispatch. */
const COUNTED: GPUBufferBindingLayout = { type: "storage", hasDynamicOffset: true };
const PARAMS: GPUBufferBindingLayout = { type: "uniform", hasDynamicOffset: true };

/**
 * The bindings of kernels: for counting (kernels/lib/bindings.wgsl), for several columns (kernels/lib/joint-bindings.wgsl)
 * and for weighted sums (kernels/lib/sums.wgsl).
 */
const BINDINGS: Readonly<Record<BindingsName, readonly GPUBufferBindingLayout[]>> = {
  counts: [READ, READ, COUNTED, WRITTEN, PARAMS],
  joint: [READ, READ, READ, READ, READ, READ, WRITTEN, COUNTED, PARAMS],
  sums: [READ, READ, READ, READ, READ, COUNTED, PARAMS],
};

export type BindingsName = "counts" | "joint" | "sums";

/** Compiled kernels by what they were compiled from. An equal plan finds them ready. */
export class Pipelines {
  readonly #device: GPUDevice;
  readonly #kept = new Lately<string, Promise<GPUComputePipeline>>(PIPELINES);
  /** Numbers of texts, which keep the keys short. A number is never used again for another text. */
  readonly #texts = new Lately<string, number>(TEXTS);
  #numbers = 0;
  readonly #layouts = new Map<BindingsName | TexelType, GPUBindGroupLayout>();

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  /** Returns the layout of a kernel's group 0. */
  layout(name: BindingsName): GPUBindGroupLayout {
    return this.#layout(name, () => BINDINGS[name].map((buffer) => ({ buffer })));
  }

  /** Returns the layout of group 1 for a kernel that reads a texture. */
  texelLayout(sampleType: TexelType): GPUBindGroupLayout {
    return this.#layout(sampleType, () => [{ texture: { sampleType } }]);
  }

  #layout(
    name: BindingsName | TexelType,
    bindings: () => readonly Pick<GPUBindGroupLayoutEntry, "buffer" | "texture">[],
  ): GPUBindGroupLayout {
    const made = () => bindings().map((of, binding) => ({ binding, visibility: COMPUTE, ...of }));
    const layout = this.#layouts.get(name) ?? this.#device.createBindGroupLayout({ entries: made() });
    this.#layouts.set(name, layout);
    return layout;
  }

  /** Returns a kernel with its pipeline. */
  async ready(kernel: Kernel): Promise<{ readonly kernel: Kernel; readonly pipeline: GPUComputePipeline }> {
    return { kernel, pipeline: await this.of(kernel) };
  }

  of(kernel: Kernel): Promise<GPUComputePipeline> {
    const { params, consts = {}, head = "", parts, entry, constants } = kernel;
    const texts = [declared(params), constantsOf(consts), head, ...parts];
    const key = JSON.stringify([texts.map((text) => this.#number(text)), entry, constants]);
    const pipeline = this.#kept.of(key, () => this.#compile(kernel, loadedTexts(texts)));
    // A failure is not kept.
    pipeline.catch(() => this.#kept.delete(key));
    return pipeline;
  }

  #number(text: ShaderText): number {
    return this.#texts.of(typeof text === "string" ? text : text.name, () => this.#numbers++);
  }

  /** Compiles texts that are here before it returns, and others once they are loaded. */
  async #compile(
    { label, entry, constants, texels, bindings = "counts" }: Kernel,
    texts: readonly string[] | Promise<readonly string[]>,
  ): Promise<GPUComputePipeline> {
    const code = (texts instanceof Promise ? await texts : texts).join("\n");
    const group = this.layout(bindings);
    const compiled = this.#device.createComputePipelineAsync({
      label,
      layout: this.#device.createPipelineLayout({
        bindGroupLayouts: texels === undefined ? [group] : [group, this.texelLayout(texels)],
      }),
      compute: {
        module: this.#device.createShaderModule({ code }),
        entryPoint: entry,
        constants: { ...constants },
      },
    });
    return compiled.catch(refused);
  }
}

/** Throws for a kernel that a driver cannot compile or that needs more than the device has. */
function refused(error: unknown): never {
  const [line] = (error instanceof Error ? error.message : String(error)).split("\n");
  throw failure("ERR_UNSUPPORTED", `the WebGPU device cannot compile this kernel: ${line}`, error);
}
