import type { Theme } from "vitepress";
// The fonts are those of the reader's machine.
import DefaultTheme, { VPHomeFeatures, VPHomeHero } from "vitepress/theme-without-fonts";
import { Playground } from "./playground.ts";
import "./style.css";

const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component("Playground", Playground);
    app.component("Features", VPHomeFeatures);
    app.component("Hero", VPHomeHero);
  },
};
export default theme;
