// A program of a page: what it can count, and what it must not pass.
import { openEngine } from "@polybin/core";
import { bufferSamples, textureSamples, webgpu } from "@polybin/webgpu";

const engine = await openEngine({ backends: [webgpu()] });
const canvas = document.createElement("canvas");
const context = canvas.getContext("2d")!;
const { signal } = new AbortController();
await engine.histograms(context.getImageData(0, 0, 1, 1), { signal });
const response = await fetch("x");
await engine.histogram(response.body!, { signal });
await engine.histogram(await response.blob());
await engine.histogram(await response.arrayBuffer());
await engine.upload(context.getImageData(0, 0, 1, 1), { signal });
export const onDevice = [bufferSamples, textureSamples];

// @ts-expect-error not its pixels
await engine.histogram(canvas);
// @ts-expect-error the same
await engine.histogram(context);
// @ts-expect-error the same
await engine.histogram(await createImageBitmap(canvas));
// @ts-expect-error the same
await engine.histogram(new Image());
// @ts-expect-error its body is a stream
await engine.histogram(response);
// @ts-expect-error a stream has no range beforehand
await engine.upload(await response.blob());
// @ts-expect-error no signal
await engine.histogram([1], { signal: "now" });
