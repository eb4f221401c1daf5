import { PolybinError } from "./errors.ts";

/**
 * A module that is loaded on first use and then kept. A load that fails is tried again by the next caller.
 * @throws ERR_UNAVAILABLE if the module cannot be loaded, for example because the site was deployed anew.
 */
export function loadedOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null;
  return () => {
    loading ??= load().catch((cause: unknown) => {
      loading = null;
      throw new PolybinError("ERR_UNAVAILABLE", "a part of polybin could not be loaded: reload the page", {
        cause,
      });
    });
    return loading;
  };
}
