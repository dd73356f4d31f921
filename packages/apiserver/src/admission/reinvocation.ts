/**
 * What mutating plugins of one request tell each other over its two rounds. After a plugin has called
 * {@link require}, all mutating plugins run a second time. Upstream: apiserver `admission.ReinvocationContext`.
 */
export class Reinvocation {
  #round: 'first' | 'second' = 'first';
  #required = false;
  readonly #states = new Map<object, unknown>();

  /** Whether this is the second round. */
  get isSecondRound(): boolean {
    return this.#round === 'second';
  }

  /** Asks for a second round; in the second, it has no effect. */
  require(): void {
    this.#required = true;
  }

  /** Begins the second round. False if no plugin has asked for it. */
  begin(): boolean {
    if (!this.#required || this.isSecondRound) return false;
    this.#round = 'second';
    return true;
  }

  /** What a plugin remembers from the first round; `create` makes it on first use. */
  stateOf<T>(plugin: object, create: () => T): T {
    if (!this.#states.has(plugin)) this.#states.set(plugin, create());
    // Only this plugin has the key, and it always creates the same type.
    return this.#states.get(plugin) as T;
  }
}
