import type { Steps } from '@binnacle/apimachinery/work';

/** What a plugin computes at once, or in steps because it visits many nodes or pods. */
export type MaybeSteps<T> = T | Steps<T>;

export function* inSteps<T extends object>(computed: MaybeSteps<T>): Steps<T> {
  return isSteps(computed) ? yield* computed : computed;
}

export function isSteps<T extends object>(computed: MaybeSteps<T>): computed is Steps<T> {
  return Symbol.iterator in computed;
}
