import { withBase } from "vitepress";
import { type Component, defineComponent, h, onBeforeUnmount, onMounted, ref } from "vue";

/** What the playground's module exports (apps/dashboard/src/try/playground.ts). */
interface PlaygroundModule {
  mountPlayground(element: HTMLElement): Promise<{ unmount(): void }>;
}

/** The playground of the dashboard, which the build copies next to the pages. */
export const Playground: Component = defineComponent({
  setup() {
    const element = ref<HTMLElement | null>(null);
    const problem = ref("");
    let mounted: { unmount(): void } | null = null;
    onMounted(async () => {
      const address = new URL(withBase("/playground/playground.js"), location.href).href;
      try {
        const { mountPlayground } = (await import(/* @vite-ignore */ address)) as PlaygroundModule;
        if (element.value !== null) mounted = await mountPlayground(element.value);
      } catch (error) {
        problem.value = `The playground could not be loaded: ${(error as Error).message}`;
      }
    });
    onBeforeUnmount(() => mounted?.unmount());
    return () => [
      h("div", { ref: element }),
      problem.value === "" ? null : h("p", { role: "alert" }, problem.value),
    ];
  },
});
