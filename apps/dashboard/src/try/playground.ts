import { pictureFormat } from "@polybin/pictures/formats";
import { html, render, type TemplateResult } from "lit-html";
import type { Part } from "./part.ts";
import styles from "./playground.css?url";

/** A playground in a page. */
export interface Playground {
  /** Empties the element, and ends the camera and all work. */
  unmount(): void;
}

/** The sample picture of the command. The build puts it into the site. */
const SAMPLE: string = new URL("../../../cli/sample/evening.png", import.meta.url).href;
/** The first bytes of a file, which show whether it is a picture. */
const HEAD_BYTES = 520;

/**
 * Puts the playground into an element: histograms of the reader's own picture, column of numbers or camera. All data stay
 * in the page. It needs no cross-origin isolation.
 */
export async function mountPlayground(element: HTMLElement): Promise<Playground> {
  await styled();
  let part: Part | null = null;
  let status = "";
  let problem = "";
  /** The last thing that the reader opened. Earlier ones that are still read are dropped. */
  let opened = 0;
  let waiting = false;

  /** Draws at most once per frame. */
  const redraw = (): void => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      draw();
    });
  };
  const draw = (): void => {
    const width = Math.floor(element.clientWidth);
    if (width > 0) render(view(width), element);
  };

  /** Replaces the part by another one. If that fails, the last result stays. */
  const open = async (name: string, load: (redraw: () => void) => Promise<Part>): Promise<void> => {
    const mine = ++opened;
    status = `Reading ${name}.`;
    problem = "";
    draw();
    try {
      const next = await load(redraw);
      if (mine !== opened) return next.close();
      part?.close();
      part = next;
      status = `${name} is shown.`;
    } catch (error) {
      if (mine !== opened) return;
      problem = `${name} was not opened: ${(error as Error).message}`;
      status = "";
    }
    redraw();
  };

  const openFile = (blob: Blob, name: string): void => {
    void open(name, async (again) => {
      if (blob.size === 0) throw new Error("it is empty: it has 0 bytes");
      const head = new Uint8Array(await blob.slice(0, HEAD_BYTES).arrayBuffer());
      if (pictureFormat(head) !== null || blob.type.startsWith("image/")) {
        const [{ readPicture }, { picturePart }] = await loadPicture();
        return picturePart(await readPicture(blob, name), again);
      }
      const { columnPart } = await loaded(() => import("./column/part.ts"));
      return columnPart(blob, name, again);
    });
  };

  const openSample = (): void => {
    void open("evening.png", async (again) => {
      const [{ readPicture }, { picturePart }] = await loadPicture();
      const response = await fetch(SAMPLE).catch((cause: Error) => {
        throw new Error(`it cannot be fetched: ${cause.message}`, { cause });
      });
      if (!response.ok) throw new Error(`it cannot be fetched: ${response.status} ${response.statusText}`);
      return picturePart(await readPicture(await response.blob(), "evening.png"), again);
    });
  };

  const openCamera = (): void => {
    void open("The camera", async (again) => {
      const { cameraPart } = await loaded(() => import("./camera/part.ts"));
      return cameraPart(again);
    });
  };

  const picked = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    const [file] = input.files ?? [];
    // Allows the same file to be chosen again.
    input.value = "";
    if (file) openFile(file, file.name);
  };

  const over = (event: DragEvent): void => {
    event.preventDefault();
    element.classList.add("over");
  };
  const left = (): void => element.classList.remove("over");
  const dropped = (event: DragEvent): void => {
    event.preventDefault();
    left();
    const file = event.dataTransfer?.files[0];
    const text = event.dataTransfer?.getData("text/plain");
    if (file) openFile(file, file.name);
    else if (text) openFile(new Blob([text]), "dropped numbers");
  };

  const pasted = (event: ClipboardEvent): void => {
    const isField = event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement;
    if (isField || !element.isConnected || element.clientWidth === 0) return;
    const file = event.clipboardData?.files[0];
    const text = event.clipboardData?.getData("text/plain");
    if (file) openFile(file, file.name === "image.png" ? "The pasted picture" : file.name);
    else if (text) openFile(new Blob([text]), "The pasted text");
    else return;
    event.preventDefault();
  };

  const countText = (): void => {
    const text = element.querySelector("textarea")!.value;
    openFile(new Blob([text]), "The pasted text");
  };

  const view = (width: number): TemplateResult => html`<div class="bar">
      <label class="button main">Open a file<input id="file" type="file" @change=${picked} /></label>
      <button id="sample" type="button" @click=${openSample}>Sample picture</button>
      <button id="camera" type="button" @click=${openCamera}>Camera</button>
      <span class="hint" data-small=${String(part !== null)}>or drop or paste a picture, a table (CSV, NPY, Parquet) or numbers. Your data stay on this machine.</span>
    </div>
    <details id="paste"><summary>Paste numbers here</summary>
      <textarea rows="4" aria-label="Numbers, or a table as CSV" placeholder="1.5 2 2.25 …"></textarea>
      <button id="count" type="button" @click=${countText}>Count</button>
    </details>
    <p id="status" role="status">${status}</p>
    ${problem === "" ? null : html`<p id="problem" class="absent" role="alert">${problem}</p>`}
    ${part === null ? null : part.render(width)}`;

  element.classList.add("polybin-playground");
  const listening = new AbortController();
  const { signal } = listening;
  element.addEventListener("dragover", over, { signal });
  element.addEventListener("dragleave", left, { signal });
  element.addEventListener("drop", dropped, { signal });
  // A file dropped outside the element must not replace the page.
  for (const name of ["dragover", "drop"])
    addEventListener(name, (event) => event.preventDefault(), { signal });
  document.addEventListener("paste", pasted, { signal });
  const sized = new ResizeObserver(redraw);
  sized.observe(element);
  draw();
  return {
    unmount() {
      opened += 1;
      listening.abort();
      sized.disconnect();
      part?.close();
      render(null, element);
      element.classList.remove("polybin-playground");
    },
  };
}

const loadPicture = () =>
  Promise.all([loaded(() => import("./picture/read.ts")), loaded(() => import("./picture/part.ts"))]);

/** Loads the parts ahead, for a page whose server may end. A failure shows again when a reader opens something. */
export function loadAhead(): void {
  void styled();
  loadPicture().catch(() => {});
}

/** A browser remembers that a module could not be loaded, so a second attempt cannot succeed. */
async function loaded<T>(load: () => Promise<T>): Promise<T> {
  return load().catch((cause: Error) => {
    throw new Error(`${cause.message}. Reload the whole page when its server is back.`, { cause });
  });
}

let style: Promise<void> | null = null;

/** Adds the style sheet to the page once. Without it, the playground works all the same. */
function styled(): Promise<void> {
  style ??= new Promise((resolve) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: styles });
    link.onload = () => resolve();
    link.onerror = () => resolve();
    document.head.append(link);
  });
  return style;
}
