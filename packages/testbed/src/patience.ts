// Tests import this before they run Dawn in their process. While an operation runs, Dawn's addon for Node polls for its end
// in each turn of the event loop, with setImmediate, and so keeps a core busy that SwiftShader could use. Here every second
// poll waits for a millisecond. The tests of WebGPU then need half the processor time.

const immediately = globalThis.setImmediate;
/** A call that follows another this soon, in milliseconds, is a poll. */
const SOON = 0.5;
let last = 0;

/** Only an addon's callback is a native function. Other libraries depend on the order of their turns. */
const isNative = (callback: () => void): boolean =>
  Function.prototype.toString.call(callback).includes("[native code]");

const patiently = (callback: (...all: unknown[]) => void, ...all: unknown[]): unknown => {
  if (!isNative(callback)) return immediately(callback, ...all);
  const now = performance.now();
  const isPoll = now - last < SOON;
  last = now;
  return isPoll ? setTimeout(callback, 1) : immediately(callback);
};

globalThis.setImmediate = patiently as typeof setImmediate;

export {};
