/**
 * Calls that arrive while one is under way share the next one. None gets the result of a call that had begun before it
 * asked, so what each reads is as new as that of a call of its own.
 */
export class SharedCall<T> {
  readonly #call: () => Promise<T>;
  #underWay: Promise<T> | undefined;
  #next: Promise<T> | undefined;

  constructor(call: () => Promise<T>) {
    this.#call = call;
  }

  /** Rejects with the error of the call, for all that share it. */
  ask(): Promise<T> {
    if (this.#underWay === undefined) return this.#begin();
    this.#next ??= this.#beginAfter(this.#underWay);
    return this.#next;
  }

  async #beginAfter(underWay: Promise<T>): Promise<T> {
    await underWay.catch(() => undefined);
    this.#next = undefined;
    return this.#begin();
  }

  #begin(): Promise<T> {
    const call = this.#call().finally(() => {
      if (this.#underWay === call) this.#underWay = undefined;
    });
    this.#underWay = call;
    return call;
  }
}
