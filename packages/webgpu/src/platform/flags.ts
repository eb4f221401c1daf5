/** WebGPU's usage bits, from the specification: Dawn in Node defines no globals for them. */
export const USAGE = {
  MAP_READ: 0x0001,
  MAP_WRITE: 0x0002,
  COPY_SRC: 0x0004,
  COPY_DST: 0x0008,
  UNIFORM: 0x0040,
  STORAGE: 0x0080,
  QUERY_RESOLVE: 0x0200,
} as const;

/** Usage bits of textures. */
export const TEXTURE = { TEXTURE_BINDING: 0x04 } as const;

export const MAP = { READ: 0x0001, WRITE: 0x0002 } as const;

/** The shader stage that a binding is visible to. */
export const COMPUTE = 0x4;
