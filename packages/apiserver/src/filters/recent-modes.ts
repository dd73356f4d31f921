import { createHash } from 'node:crypto';

const REMEMBERED_USERS = 10_000;

/**
 * The impersonation mode that last allowed each user. It is tried first, because users rarely change modes.
 * Upstream: apiserver `pkg/endpoints/filters/impersonation` modeIndexCache.
 */
export class RecentModes<T> {
  readonly #modes = new Map<string, T>();
  readonly #capacity: number;

  constructor(capacity = REMEMBERED_USERS) {
    this.#capacity = capacity;
  }

  get(user: string): T | undefined {
    const key = keyOf(user);
    const mode = this.#modes.get(key);
    if (mode !== undefined) this.#renew(key, mode);
    return mode;
  }

  /** Evicts the least recently used entry. */
  set(user: string, mode: T): void {
    this.#renew(keyOf(user), mode);
    const [oldest] = this.#modes.keys();
    if (this.#modes.size > this.#capacity && oldest !== undefined) this.#modes.delete(oldest);
  }

  /** A map keeps the order of insertion, so the first key is the least recently used one. */
  #renew(key: string, mode: T): void {
    this.#modes.delete(key);
    this.#modes.set(key, mode);
  }
}

/** A digest, so that every key has the same length. */
function keyOf(user: string): string {
  return createHash('sha256').update(user).digest('base64');
}
