export * from "@polybin/webgpu";
