const PIXELS = "ctx.getImageData(0, 0, width, height)";
const ON_DEVICE = "from @polybin/webgpu";
const OF_STREAM = "its bytes, or pass the stream itself to histogram";

/** Maps the class name of a platform's object to what the user should pass instead. */
const BY_CLASS: ReadonlyMap<string, string> = new Map([
  ["CanvasRenderingContext2D", PIXELS],
  ["OffscreenCanvasRenderingContext2D", PIXELS],
  ...["HTMLCanvasElement", "OffscreenCanvas"].map((name) => [name, `${PIXELS} of its 2d context`] as const),
  ...["ImageBitmap", "HTMLImageElement", "SVGImageElement", "HTMLVideoElement"].map(
    (name) => [name, `${PIXELS} of a canvas on which it was drawn`] as const,
  ),
  ["VideoFrame", '{ data, channels: 4 } after await frame.copyTo(data, { format: "RGBA" })'],
  ["Blob", "await blob.arrayBuffer()"],
  ["File", "await file.arrayBuffer()"],
  ["FileSystemFileHandle", "await handle.getFile()"],
  ["Response", "response.body for a stream of its bytes, or await response.arrayBuffer()"],
  ["Request", "request.body for a stream of its bytes, or await request.arrayBuffer()"],
  ["ReadableStream", OF_STREAM],
  ["Promise", "the value it resolves to: await it"],
  ["GPUBuffer", `bufferSamples(buffer) ${ON_DEVICE}`],
  ["GPUTexture", `textureSamples(texture) ${ON_DEVICE}`],
  ["BigInt64Array", "Float64Array.from(array, Number), exact up to 2^53"],
  ["BigUint64Array", "Float64Array.from(array, Number), exact up to 2^53"],
]);

/** Methods that identify an object of a library, and what the user should pass instead. */
const BY_METHOD: readonly (readonly [method: string, pass: string])[] = [
  ["getContext", `${PIXELS} of its 2d context`],
  ["getImageData", PIXELS],
  ["toArray", "its toArray(), a typed array of one type"],
  ["dataSync", "await its data()"],
];

/**
 * Returns what to pass instead of a value that does not hold samples, or null if there is no advice for it. Platform
 * objects are recognized by their class name, so objects of other realms are recognized too. Objects of libraries are
 * recognized by their methods.
 */
export function adviceFor(value: unknown): string | null {
  if (typeof value === "string") return "pass the bytes of a file, such as await openAsBlob(path) in Node";
  if (typeof value !== "object" || value === null) return null;
  const known = BY_CLASS.get(classOf(value));
  if (known !== undefined) return `pass ${known}`;
  const found = BY_METHOD.find(
    ([method]) => typeof (value as Record<string, unknown>)[method] === "function",
  );
  if (found !== undefined) return `pass ${found[1]}`;
  return Symbol.asyncIterator in value ? `pass ${OF_STREAM}` : null;
}

/** Returns the class name of a platform's object, such as HTMLCanvasElement or BigInt64Array. */
function classOf(value: object): string {
  return Object.prototype.toString.call(value).slice("[object ".length, -"]".length);
}

/** Properties of sharp's `info` that a description of samples does not have. */
const SHARP_NAMES: readonly string[] = ["info", "format", "size", "depth", "premultiplied", "hasAlpha"];

/** Returns advice for an unknown property in a description of samples, or null if there is none. */
export function adviceForName(name: string): string | null {
  if (!SHARP_NAMES.includes(name)) return null;
  return 'of sharp\'s info pass { data, width: info.width, height: info.height, channels: info.channels }, and type "u16" where its depth is ushort';
}

/** Advice for a user who passed the memory of Node's Buffer pool instead of a Buffer. */
export const OF_POOL = "Node's small Buffers share this memory: pass the Buffer, not its .buffer";
