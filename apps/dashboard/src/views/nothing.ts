import { html, type TemplateResult } from "lit-html";
import { onBasis } from "../data/index.ts";
import { absent, type Context } from "../show/index.ts";

/** Says that nothing was measured on the selected basis, and offers the other one if it has rows. */
export function nothingOn({ basis, measured, select }: Context, sentence: string): TemplateResult {
  const where = "on this machine";
  if (basis === null) return absent(`${sentence} ${where}.`);
  const other = basis === "call" ? "kernel" : "call";
  const [here, there] = basis === "call" ? ["whole calls", "kernels"] : ["kernels alone", "whole calls"];
  return absent(html`${sentence} by ${here} ${where}.
    ${
      onBasis(measured, other).length === 0
        ? null
        : html`<button type="button" @click=${() => select({ basis: other })}>Show ${there}</button>`
    }`);
}
