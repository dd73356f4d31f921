import { hash } from 'node:crypto';
import { LruMap } from '@binnacle/apimachinery/caches';

const REMEMBERED_USERS = 10_000;

/**
 * The impersonation mode that last allowed each user. It is tried first, because users rarely change modes.
 * Upstream: apiserver `pkg/endpoints/filters/impersonation` modeIndexCache.
 */
export class RecentModes<T> {
  readonly #modes: LruMap<string, T>;

  constructor(capacity = REMEMBERED_USERS) {
    this.#modes = new LruMap(capacity);
  }

  get(user: string): T | undefined {
    return this.#modes.get(keyOf(user));
  }

  set(user: string, mode: T): void {
    this.#modes.set(keyOf(user), mode);
  }
}

/** A digest, so that every key has the same length. */
function keyOf(user: string): string {
  return hash('sha256', user, 'base64');
}
