import { PolybinError } from "@polybin/core";
import type { Struct } from "@polybin/core/backend";
import { loadedTexts, type ShaderText } from "../base/index.ts";
import { COMPUTE } from "./flags.ts";
import { PIPELINES } from "./limits.ts";
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

/**
 * The bindings of kernels: for counting (kernels/lib/bindings.wgsl), for several columns (kernels/lib/joint-bindings.wgsl)
 * and for weighted sums (kernels/lib/sums.wgsl).
 */
const BINDINGS: Readonly<Record<BindingsName, readonly GPUBufferBindingType[]>> = {
  counts: ["read-only-storage", "read-only-storage", "storage", "storage", "uniform"],
  joint: [
    "read-only-storage",
    "read-only-storage",
    "read-only-storage",
    "read-only-storage",
    "read-only-storage",
    "read-only-storage",
    "storage",
    "storage",
    "uniform",
  ],
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

/** Bindings whose offset is set with the dispatch: the params, and the place of the counts. */
const DYNAMIC: Readonly<Record<BindingsName, readonly number[]>> = {
  counts: [2, 4],
  joint: [7, 8],
  sums: [6],
};

export type BindingsName = "counts" | "joint" | "sums";

/** Compiled kernels by what they were compiled from. An equal plan finds them ready. */
export class Pipelines {
  readonly #device: GPUDevice;
  readonly #kept = new Map<string, Promise<GPUComputePipeline>>();
  /** Numbers of texts, which keep the keys short. */
  readonly #texts = new Map<string, number>();
  readonly #layouts = new Map<BindingsName, GPUBindGroupLayout>();
  readonly #texelLayouts = new Map<TexelType, GPUBindGroupLayout>();

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  /** Returns the layout of a kernel's group 0. */
  layout(name: BindingsName): GPUBindGroupLayout {
    const layout =
      this.#layouts.get(name) ??
      this.#device.createBindGroupLayout({
        entries: BINDINGS[name].map((type, binding) => ({
          binding,
          visibility: COMPUTE,
          buffer: { type, hasDynamicOffset: DYNAMIC[name].includes(binding) },
        })),
      });
    this.#layouts.set(name, layout);
    return layout;
  }

  /** Returns the layout of group 1 for a kernel that reads a texture. */
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
    const pipeline = this.#kept.get(key) ?? this.#compile(kernel, loadedTexts(texts));
    // The first entry of a Map is the oldest.
    this.#kept.delete(key);
    this.#kept.set(key, pipeline);
    if (this.#kept.size > PIPELINES) this.#kept.delete(this.#kept.keys().next().value!);
    pipeline.catch(() => this.#kept.delete(key));
    return pipeline;
  }

  #number(text: ShaderText): number {
    const known = typeof text === "string" ? text : text.name;
    const number = this.#texts.get(known) ?? this.#texts.size;
    this.#texts.set(known, number);
    return number;
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
  throw new PolybinError("ERR_UNSUPPORTED", `the WebGPU device cannot compile this kernel: ${line}`, {
    backend: "webgpu",
    cause: error,
  });
}
