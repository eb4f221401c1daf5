/** A file or text that a reader drops on the window or pastes. */
export interface Given {
  readonly blob: Blob;
  readonly name: string;
  /** Number of other files that came with it, which are not opened. */
  readonly others: number;
}

interface Receiver {
  /** Whether the playground is on the screen. */
  isShown(): boolean;
  take(given: Given): void;
  /** A folder, or something else that is neither a file nor text. */
  refuse(name: string, why: string): void;
  /** Something is dragged over the window, or no longer. */
  hover(isOver: boolean): void;
}

/** Takes files and text that are dropped anywhere on the window, or pasted. */
export function receive({ isShown, take, refuse, hover }: Receiver, signal: AbortSignal): void {
  const over = (event: DragEvent): void => {
    if (isTextInField(event)) return;
    // A file dropped where nothing takes it must not replace the page.
    event.preventDefault();
    if (isShown()) hover(true);
  };
  const left = (event: DragEvent): void => {
    // Only the window itself is left for nothing.
    if (event.relatedTarget === null) hover(false);
  };
  const dropped = (event: DragEvent): void => {
    if (isTextInField(event)) return;
    event.preventDefault();
    hover(false);
    const { dataTransfer } = event;
    if (!isShown() || dataTransfer === null) return;
    const [entry] = Array.from(dataTransfer.items, (item) => item.webkitGetAsEntry?.() ?? null);
    const given = givenBy(dataTransfer, "The dropped text");
    if (entry?.isDirectory === true) refuse(entry.name, "it is a folder; drop one of its files");
    else if (given === null) refuse("The dropped thing", "it is neither a file nor text");
    else take(given);
  };
  const pasted = (event: ClipboardEvent): void => {
    if (isField(event.target) || !isShown() || event.clipboardData === null) return;
    const given = givenBy(event.clipboardData, "The pasted text");
    if (given === null) return;
    event.preventDefault();
    take(given.name === "image.png" ? { ...given, name: "The pasted picture" } : given);
  };
  addEventListener("dragenter", over, { signal });
  addEventListener("dragover", over, { signal });
  addEventListener("dragleave", left, { signal });
  addEventListener("drop", dropped, { signal });
  document.addEventListener("paste", pasted, { signal });
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;

/** Whether text is dragged into a field, which takes it itself. */
const isTextInField = ({ target, dataTransfer }: DragEvent): boolean =>
  isField(target) && dataTransfer?.types.includes("Files") !== true;

function givenBy(data: DataTransfer, nameOfText: string): Given | null {
  const [file] = data.files;
  if (file !== undefined) return { blob: file, name: file.name, others: data.files.length - 1 };
  const text = data.getData("text/plain");
  return text === "" ? null : { blob: new Blob([text]), name: nameOfText, others: 0 };
}
