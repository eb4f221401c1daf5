import { html, type TemplateResult } from "lit-html";

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** A labelled list to choose from. `choose` gets the value. */
export function select(
  label: string,
  choices: readonly Choice[],
  selected: string,
  choose: (value: string) => void,
): TemplateResult {
  return html`<label class="field"><span>${label}</span>
    <select @change=${(event: Event) => choose((event.target as HTMLSelectElement).value)}>
      ${choices.map(({ value, label: text }) => html`<option value=${value} .selected=${value === selected}>${text}</option>`)}
    </select>
  </label>`;
}

/** Choices whose text is their value. */
export const plain = (values: readonly string[]): Choice[] =>
  values.map((value) => ({ value, label: value }));
