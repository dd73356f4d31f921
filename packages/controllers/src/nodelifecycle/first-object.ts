import type { SharedInformer } from '@binnacle/client/cache';
import type { Node } from '@binnacle/client/kinds/core/v1';

/** Resolves when the informer has an object, or the signal has fired. */
export function firstObject<T extends Node>(informer: SharedInformer<T>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const handler = informer.addHandler({ onAdd: () => end() });
    const end = (): void => {
      signal.removeEventListener('abort', end);
      queueMicrotask(() => handler[Symbol.dispose]());
      resolve();
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
