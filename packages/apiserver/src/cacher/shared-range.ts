import type { StoredObject } from '../storage/index.js';
import type { CachedState } from './cached-state.js';

/** All objects under a prefix. Calls with the same prefix get the same array until an object changes, if a caller still holds it. */
export class SharedRange {
  readonly #state: Pick<CachedState, 'changes' | 'range'>;
  #prefix = '';
  #changes = -1;
  #objects: WeakRef<readonly StoredObject[]> | undefined;

  constructor(state: Pick<CachedState, 'changes' | 'range'>) {
    this.#state = state;
  }

  of(prefix: string): readonly StoredObject[] {
    const { changes } = this.#state;
    const known = prefix === this.#prefix && changes === this.#changes ? this.#objects?.deref() : undefined;
    if (known !== undefined) return known;
    const objects = Array.from(this.#state.range(prefix));
    this.#prefix = prefix;
    this.#changes = changes;
    this.#objects = new WeakRef(objects);
    return objects;
  }
}
