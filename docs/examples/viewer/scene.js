import { SCENE } from "./shaders.js";

/** What the viewer shows without a camera or a video: painted on the device, into the viewer's frame. */
export async function createScene(device, frame) {
  const module = device.createShaderModule({ code: SCENE });
  const pipeline = await device.createRenderPipelineAsync({
    layout: "auto",
    vertex: { module },
    fragment: { module, targets: [{ format: frame.format }] },
  });
  const moment = device.createBuffer({ size: 16, usage: 64 | 8 });
  const bindings = device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: [{ binding: 0, resource: { buffer: moment } }],
  });
  const view = frame.createView();
  return {
    paint(encoder, seconds) {
      device.queue.writeBuffer(moment, 0, Float32Array.of(frame.width, frame.height, seconds));
      const pass = encoder.beginRenderPass({
        colorAttachments: [{ view, loadOp: "clear", storeOp: "store" }],
      });
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, bindings);
      pass.draw(3);
      pass.end();
    },
  };
}
