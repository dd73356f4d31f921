import { createHash } from 'node:crypto';

const REMEMBERED_USERS = 10_000;

/**
 * Which mode of impersonation last let each user through: it is tried first, since users tend to keep to one.
 * Upstream: apiserver `pkg/endpoints/filters/impersonation` modeIndexCache.
 */
export class RecentModes<T> {
  readonly #modes = new Map<string, T>();
  readonly #capacity: number;

  constructor(capacity = REMEMBERED_USERS) {
    this.#capacity = capacity;
  }

  get(user: string): T | undefined {
    return this.#modes.get(keyOf(user));
  }

  /** The user that was let through longest ago is forgotten first. */
  set(user: string, mode: T): void {
    const key = keyOf(user);
    this.#modes.delete(key);
    this.#modes.set(key, mode);
    const [oldest] = this.#modes.keys();
    if (this.#modes.size > this.#capacity && oldest !== undefined) this.#modes.delete(oldest);
  }
}

/** As long for every name. */
function keyOf(user: string): string {
  return createHash('sha256').update(user).digest('base64');
}
