import { withBase } from "vitepress";
import { type Component, defineComponent, h, onBeforeUnmount, onMounted, ref } from "vue";

/** The exports of the playground's module (apps/dashboard/src/try/playground.ts). */
interface PlaygroundModule {
  mountPlayground(element: HTMLElement): Promise<{ readonly shown: Promise<void>; unmount(): void }>;
  workOffline(address: string): Promise<void>;
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
        const { mountPlayground, workOffline } = (await import(
          /* @vite-ignore */ address
        )) as PlaygroundModule;
        if (element.value === null) return;
        const playground = await mountPlayground(element.value);
        mounted = playground;
        // The first histogram does not wait for it.
        void playground.shown.then(() => workOffline(withBase("/offline.js")));
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
