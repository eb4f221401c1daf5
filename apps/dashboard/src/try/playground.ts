import { pictureFormat } from "@polybin/pictures/formats";
import { html, render, type TemplateResult } from "lit-html";
import { type Given, receive } from "./given.ts";
import type { Part } from "./part.ts";
import styles from "./playground.css?url";

export { workOffline } from "./offline.ts";

/** A playground in a page. */
export interface Playground {
  /** Resolves once the first result is on the screen, or cannot be had. */
  readonly shown: Promise<void>;
  /** Empties the element, and ends the camera and all work. */
  unmount(): void;
}

/** The name of the sample picture, which is also that of the command's file with the same pixels. */
const SAMPLE = "evening.png";
/** The first bytes of a file, which show whether it is a picture. */
const HEAD_BYTES = 520;
const WORKS =
  "The page opens pictures (PNG, TIFF, JPEG, WebP, GIF, AVIF), tables (Parquet, Arrow, CSV, JSON lines, NPY, NPZ) and lists of numbers.";

/** Something that was not opened. */
interface Problem {
  readonly text: string;
  /** A description of the file, and the names of what would work. */
  readonly advice: string;
}

/** Sentences that go with a result or a problem. */
interface Opening {
  readonly note?: string;
  /** Describes the file, and names what would work. */
  readonly adviseOn?: () => Promise<string>;
}

/**
 * Puts the playground into an element: histograms of the reader's own picture, table, numbers or camera. It starts with a
 * picture that it draws itself. All data stay in the page. It needs no cross-origin isolation.
 */
export async function mountPlayground(element: HTMLElement): Promise<Playground> {
  const styleSheet = styled();
  let part: Part | null = null;
  let status = "";
  let problem: Problem | null = null;
  let isOver = false;
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
  const open = async (
    name: string,
    load: (redraw: () => void) => Promise<Part>,
    { note = "", adviseOn = async () => "" }: Opening = {},
  ): Promise<void> => {
    const mine = ++opened;
    status = `Reading ${name}.`;
    problem = null;
    redraw();
    try {
      const next = await load(redraw);
      // An earlier one is shown only as long as there is nothing else.
      if (mine !== opened && part !== null) return next.close();
      part?.close();
      part = next;
      if (mine === opened) status = `${name} is shown.${note}`;
    } catch (error) {
      const advice = await adviseOn();
      if (mine !== opened) return;
      problem = { text: `${name} was not opened: ${(error as Error).message}`, advice };
      status = "";
    }
    redraw();
  };

  const openFile = ({ blob, name, others }: Given): Promise<void> => {
    const formatOf = async () => pictureFormat(new Uint8Array(await blob.slice(0, HEAD_BYTES).arrayBuffer()));
    return open(
      name,
      async (again) => {
        if (blob.size === 0) throw new Error("it is empty: it has 0 bytes");
        if ((await formatOf()) !== null || blob.type.startsWith("image/")) {
          const [{ readPicture }, { picturePart }] = await loadPicture();
          return picturePart(await readPicture(blob, name), again);
        }
        const { columnPart } = await loadColumn();
        return columnPart(blob, name, again);
      },
      {
        note: others === 0 ? "" : " One file is opened at a time, and the others were not.",
        adviseOn: async () => {
          const format = await formatOf().catch(() => null);
          const kind = format === null ? "" : ` and begins like a ${format.name} picture`;
          return `It has ${blob.size.toLocaleString("en")} bytes${kind}. ${WORKS}`;
        },
      },
    );
  };

  const openSample = (): Promise<void> =>
    open(SAMPLE, async (again) => {
      const drawn = ahead ?? drawSample();
      ahead = null;
      const [, { picturePart }] = await loadPicture();
      return picturePart(await drawn, again);
    });

  const openTable = (name: string, textOf: "journeys" | "dice"): void => {
    void open(name, async (again) => {
      const [tables, { columnPart }] = await Promise.all([
        loaded("the sample", () => import("./samples/tables.ts")),
        loadColumn(),
      ]);
      return columnPart(new Blob([tables[textOf]()]), name, again);
    });
  };

  const openCamera = (): void => {
    void open("The camera", async (again) => {
      const { cameraPart } = await loaded("the camera's view", () => import("./camera/part.ts"));
      return cameraPart(again);
    });
  };

  const picked = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    const [file] = input.files ?? [];
    if (file) void openFile({ blob: file, name: file.name, others: 0 });
    // Allows the same file to be chosen again.
    input.value = "";
  };

  const countText = (): void => {
    const text = element.querySelector("textarea")!.value;
    void openFile({ blob: new Blob([text]), name: "The pasted text", others: 0 });
  };

  const view = (width: number): TemplateResult => html`<div class="bar">
      <label class="button main">Open a file<input id="file" type="file" @change=${picked} /></label>
      <button id="camera" type="button" @click=${openCamera}>Camera</button>
      <span class="samples" role="group" aria-label="Samples">
        <span class="hint">Samples:</span>
        <button id="sample" type="button" @click=${() => void openSample()}>Picture</button>
        <button id="sample-table" type="button" @click=${() => openTable("journeys.csv", "journeys")}>Table</button>
        <button id="sample-numbers" type="button" @click=${() => openTable("dice.txt", "dice")}>Numbers</button>
      </span>
    </div>
    <p id="status" role="status">${status}</p>
    ${problem === null ? null : html`<p id="problem" class="absent" role="alert">${problem.text}${problem.advice === "" ? null : html`<br /><span class="advice">${problem.advice}</span>`}</p>`}
    ${part === null ? html`<div class="room"></div>` : part.render(width)}
    <p class="hint">Drop a picture, a table or numbers anywhere on this window, or paste them. Your data stay on this machine.</p>
    <details id="paste"><summary>Paste numbers here</summary>
      <textarea rows="4" aria-label="Numbers, or a table as CSV" placeholder="1.5 2 2.25 …"></textarea>
      <button id="count" type="button" @click=${countText}>Count</button>
    </details>
    <div class="cue" ?hidden=${!isOver} aria-hidden="true"><p>Drop it: a picture, a table or numbers</p></div>`;

  element.classList.add("polybin-playground");
  const listening = new AbortController();
  receive(
    {
      isShown: () => element.isConnected && element.clientWidth > 0,
      take: (given) => void openFile(given),
      refuse: (name, why) => {
        problem = { text: `${name} was not opened: ${why}`, advice: WORKS };
        redraw();
      },
      hover: (over) => {
        if (isOver === over) return;
        isOver = over;
        redraw();
      },
    },
    listening.signal,
  );
  const sized = new ResizeObserver(redraw);
  sized.observe(element);
  const sample = openSample();
  await styleSheet;
  draw();
  return {
    shown: sample.then(() => new Promise((resolve) => requestAnimationFrame(() => resolve()))),
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
  Promise.all([
    loaded("the reader of pictures", () => import("./picture/read.ts")),
    loaded("the view of pictures", () => import("./picture/part.ts")),
  ]);

const loadColumn = () => loaded("the view of tables", () => import("./column/part.ts"));

/** The sample picture, if a page has asked for it before it mounts the playground. */
let ahead: ReturnType<typeof drawSample> | null = null;

/** Draws the sample picture before the playground is mounted, for a page that must first get ready itself. */
export function drawAhead(): void {
  ahead ??= drawSample();
  // The playground says so when it opens the sample.
  ahead.catch(() => {});
}

async function drawSample() {
  const [{ sampleOf }] = await loadPicture();
  return sampleOf(SAMPLE);
}

/** Loads the parts ahead, for a page whose server may end. A failure shows again when a reader opens something. */
export function loadAhead(): void {
  void styled();
  for (const part of [loadPicture(), import("./picture/backends.ts"), loadColumn()]) part.catch(() => {});
}

/** A browser remembers that a module could not be loaded, so a second attempt cannot succeed. */
async function loaded<T>(what: string, load: () => Promise<T>): Promise<T> {
  return load().catch((cause: Error) => {
    const why = `${what} could not be loaded: ${cause.message}`;
    throw new Error(`${why}. Reload the whole page when its server is back.`, { cause });
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
