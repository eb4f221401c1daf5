import { html, svg, type TemplateResult } from "lit-html";
import type { Pixels, Region } from "./pixels.ts";

/** The smallest side of a region that a pointer draws, in pixels of the screen. A smaller one is a click. */
const CLICK = 4;

/** Makes the rectangle between two corners, within a picture. */
function between(pixels: Pixels, a: readonly number[], b: readonly number[]): Region {
  const inside = (value: number, most: number) => Math.min(Math.max(value, 0), most);
  const [x, y] = [
    inside(Math.floor(Math.min(a[0]!, b[0]!)), pixels.width - 1),
    inside(Math.floor(Math.min(a[1]!, b[1]!)), pixels.height - 1),
  ];
  const right = inside(Math.ceil(Math.max(a[0]!, b[0]!)), pixels.width);
  const bottom = inside(Math.ceil(Math.max(a[1]!, b[1]!)), pixels.height);
  return { x, y, width: Math.max(1, right - x), height: Math.max(1, bottom - y) };
}

/** The calls of a pointer on the picture. */
interface Pointing {
  /** Chooses a region. Null: the whole picture. */
  choose(region: Region | null): void;
  /** Points at a pixel, by its place in the picture. Null: at none. */
  point(at: readonly [x: number, y: number] | null): void;
}

/** Draws the picture with the region on it, and lets the pointer draw another one or point at a pixel. */
export function pictureWithRegion(
  pixels: Pixels,
  marks: HTMLCanvasElement | null,
  region: Region | null,
  { choose, point: pointAt }: Pointing,
): TemplateResult {
  const { canvas, name, width, height } = pixels;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", name);
  const point = (event: PointerEvent): [number, number] => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    return [
      ((event.clientX - box.left) / box.width) * width,
      ((event.clientY - box.top) / box.height) * height,
    ];
  };
  const pressed = (event: PointerEvent): void => {
    const area = event.currentTarget as SVGSVGElement;
    const first = point(event);
    const start = [event.clientX, event.clientY] as const;
    area.setPointerCapture(event.pointerId);
    const move = (next: PointerEvent): void => {
      const isClick = Math.abs(next.clientX - start[0]) < CLICK && Math.abs(next.clientY - start[1]) < CLICK;
      choose(isClick ? null : between(pixels, first, point(next)));
    };
    area.onpointermove = move;
    area.onpointerup = (next) => {
      move(next);
      area.onpointermove = null;
      area.onpointerup = null;
    };
  };
  const moved = (event: PointerEvent): void => {
    const [x, y] = point(event);
    pointAt([
      Math.min(width - 1, Math.max(0, Math.floor(x))),
      Math.min(height - 1, Math.max(0, Math.floor(y))),
    ]);
  };
  return html`<div class="frame">${canvas}${marks}
    <svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true" @pointerdown=${pressed} @pointermove=${moved} @pointerleave=${() => pointAt(null)}>
      ${region === null ? null : svg`<path class="shade" fill-rule="evenodd" d="M0 0H${width}V${height}H0ZM${region.x} ${region.y}h${region.width}v${region.height}h${-region.width}Z" /><rect x=${region.x} y=${region.y} width=${region.width} height=${region.height} />`}
    </svg>
  </div>`;
}

/** Fields with which the keyboard chooses the region. */
export function regionFields(
  { width, height }: Pixels,
  region: Region | null,
  choose: (region: Region | null) => void,
): TemplateResult {
  const now = region ?? { x: 0, y: 0, width, height };
  const most = { x: width - 1, y: height - 1, width: width - now.x, height: height - now.y };
  const field = (name: keyof Region, label: string): TemplateResult => {
    const changed = (event: Event): void => {
      const value = Math.trunc((event.target as HTMLInputElement).valueAsNumber);
      if (Number.isNaN(value)) {
        choose(region);
        return;
      }
      const least = name === "x" || name === "y" ? 0 : 1;
      const next = { ...now, [name]: Math.min(Math.max(value, least), most[name]) };
      choose({
        ...next,
        width: Math.min(next.width, width - next.x),
        height: Math.min(next.height, height - next.y),
      });
    };
    return html`<label class="field"><span>${label}</span>
      <input type="number" data-region=${name} min=${name === "x" || name === "y" ? 0 : 1} max=${most[name]} .value=${String(now[name])} @change=${changed} /></label>`;
  };
  return html`<div class="fields" role="group" aria-label="Region in pixels">
    ${field("x", "Left")} ${field("y", "Top")} ${field("width", "Width")} ${field("height", "Height")}
    <button type="button" id="whole" aria-disabled=${region === null ? "true" : "false"} @click=${() => choose(null)}>Whole picture</button>
  </div>`;
}
