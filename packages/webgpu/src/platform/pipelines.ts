import { PolybinError } from "@polybin/core";
import type { Struct } from "@polybin/core/backend";
import { COMPUTE } from "./flags.ts";
import { PIPELINES } from "./limits.ts";
import { constantsOf, declared } from "./wgsl.ts";

/** A kernel as it is compiled: its text in parts, where it starts, and the plan's numbers. */
export interface Kernel {
  /** What people, and a driver's messages, call it. */
  readonly label: string;
  /** What differs from one dispatch to the next; its declaration comes before all texts. */
  readonly params: Struct;
  /** Numbers that WGSL lets no override be, such as the length of an inner array. */
  readonly consts?: Readonly<Record<string, number>>;
  /** Text of the plan's own, before the parts. */
  readonly head?: string;
  /** WGSL: texts of files, one after the other. */
  readonly parts: readonly string[];
  readonly entry: string;
  readonly constants: Readonly<Record<string, number>>;
  /** Of a kernel that reads a texture, as what. */
  readonly texels?: TexelType;
  /** Which of BINDINGS it has; default "counts". */
  readonly bindings?: BindingsName;
}

export type TexelType = "unfilterable-float" | "uint";

/** What kernels are bound to: those that count (kernels/lib/bindings.wgsl), and weighted sums (kernels/lib/sums.wgsl). */
const BINDINGS: Readonly<Record<BindingsName, readonly GPUBufferBindingType[]>> = {
  counts: ["read-only-storage", "read-only-storage", "storage", "storage", "uniform"],
  sums: [
    "read-only-storage",
    "read-only-storage",
    "read-only-storage",
    "read-only-storage",
    "read-only-storage",
    "storage",
    "uniform",
  ],
};

/** Those whose place in their buffer is told with the dispatch: params, and where counts go. */
const DYNAMIC: Readonly<Record<BindingsName, readonly number[]>> = { counts: [2, 4], sums: [6] };

export type BindingsName = "counts" | "sums";

/** Compiled kernels, by what they were compiled from: a like plan finds them ready. */
export class Pipelines {
  readonly #device: GPUDevice;
  readonly #kept = new Map<string, Promise<GPUComputePipeline>>();
  /** Texts by number: a key names them, and is short. */
  readonly #texts = new Map<string, number>();
  readonly #layouts: { readonly [name in BindingsName]: GPUBindGroupLayout };
  readonly #texelLayouts = new Map<TexelType, GPUBindGroupLayout>();

  constructor(device: GPUDevice) {
    this.#device = device;
    const layoutOf = (name: BindingsName) =>
      device.createBindGroupLayout({
        entries: BINDINGS[name].map((type, binding) => ({
          binding,
          visibility: COMPUTE,
          buffer: { type, hasDynamicOffset: DYNAMIC[name].includes(binding) },
        })),
      });
    this.#layouts = { counts: layoutOf("counts"), sums: layoutOf("sums") };
  }

  /** What group 0 of a kernel is. */
  layout(name: BindingsName): GPUBindGroupLayout {
    return this.#layouts[name];
  }

  /** What group 1 of a kernel that reads a texture is. */
  texelLayout(sampleType: TexelType): GPUBindGroupLayout {
    const layout =
      this.#texelLayouts.get(sampleType) ??
      this.#device.createBindGroupLayout({
        entries: [{ binding: 0, visibility: COMPUTE, texture: { sampleType } }],
      });
    this.#texelLayouts.set(sampleType, layout);
    return layout;
  }

  of(kernel: Kernel): Promise<GPUComputePipeline> {
    const { params, consts = {}, head = "", parts, entry, constants } = kernel;
    const texts = [declared(params), constantsOf(consts), head, ...parts];
    const key = JSON.stringify([texts.map((text) => this.#number(text)), entry, constants]);
    const pipeline = this.#kept.get(key) ?? this.#compile(kernel, texts.join("\n")).catch(refused);
    // The oldest entry of a Map is its first.
    this.#kept.delete(key);
    this.#kept.set(key, pipeline);
    if (this.#kept.size > PIPELINES) this.#kept.delete(this.#kept.keys().next().value!);
    pipeline.catch(() => this.#kept.delete(key));
    return pipeline;
  }

  #number(text: string): number {
    const number = this.#texts.get(text) ?? this.#texts.size;
    this.#texts.set(text, number);
    return number;
  }

  #compile(
    { label, entry, constants, texels, bindings = "counts" }: Kernel,
    code: string,
  ): Promise<GPUComputePipeline> {
    const group = this.layout(bindings);
    return this.#device.createComputePipelineAsync({
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
  }
}

/** What a driver says of a kernel that it cannot compile, or of one that needs more than it has. */
function refused(error: unknown): never {
  const [line] = (error instanceof Error ? error.message : String(error)).split("\n");
  throw new PolybinError("ERR_UNSUPPORTED", `the WebGPU device does not compile this kernel: ${line}`, {
    backend: "webgpu",
    cause: error,
  });
}
