import { abortable } from '@binnacle/apimachinery/clock';

/** How many long answers are read at once. */
const SLOTS = 4;

/** An answer may have this many bytes before it counts as long. */
export const LONG_ANSWER_BYTES = 256 * 1024;

/**
 * Bounds the memory of answers: only a few long ones are read at once, and further ones wait for their turn. Short
 * answers never wait, so a webhook that floods the server does not fail the calls of others.
 */
export class LongAnswers {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(slots = SLOTS) {
    this.#free = slots;
  }

  /** Waits for a turn, which ends when the result is disposed. Rejects with the reason of the signal. */
  async enter(signal: AbortSignal): Promise<Disposable> {
    if (this.#free > 0) this.#free--;
    else await this.#turn(signal);
    return { [Symbol.dispose]: () => this.#leave() };
  }

  async #turn(signal: AbortSignal): Promise<void> {
    let pass = (): void => undefined;
    const turn = new Promise<void>((resolve) => (pass = resolve));
    this.#waiting.push(pass);
    try {
      await abortable(turn, signal);
    } catch (error) {
      const place = this.#waiting.indexOf(pass);
      if (place >= 0) this.#waiting.splice(place, 1);
      // The turn has come at the same time.
      else this.#leave();
      throw error;
    }
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}
