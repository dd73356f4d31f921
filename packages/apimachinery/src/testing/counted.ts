import type { Steps } from '../work/index.js';

/** The result of a computation, and how often it yielded. */
export function counted<T>(steps: Steps<T>): { readonly result: T; readonly yields: number } {
  for (let yields = 0; ; yields++) {
    const step = steps.next();
    if (step.done === true) return { result: step.value, yields };
  }
}
