import type { Clock, Timer } from '@binnacle/apimachinery/clock';

/** How long a watch counts as work while its client keeps its first events waiting. */
const PATIENCE_MS = 1000;

/**
 * The beginning of a watch, during which it holds its seats in flow control. It is over when the first events are sent, or a
 * second after the client first kept them waiting. Otherwise a client that does not read could hold all seats of a priority
 * level for as long as a watch lasts. Upstream lets it.
 */
export class FirstEvents implements Disposable {
  readonly #clock: Clock;
  readonly #over: () => void;
  #timer: Timer | undefined;
  #isOver = false;

  /** `over` is called once. */
  constructor(clock: Clock, over: () => void) {
    this.#clock = clock;
    this.#over = over;
  }

  /** The client takes no more for now. */
  wait(): void {
    if (!this.#isOver) this.#timer ??= this.#clock.setTimer(() => this.sent(), PATIENCE_MS);
  }

  sent(): void {
    if (this.#isOver) return;
    this[Symbol.dispose]();
    this.#over();
  }

  /** The watch has ended. */
  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#timer?.[Symbol.dispose]();
  }
}
