import type { Clock } from '@binnacle/apimachinery/clock';

/** The nodes that are cut off from the network, each for a time. */
export class CutOffNodes {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #until = new Map<string, number>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Cuts nodes off for this many milliseconds. It never shortens the time of a node that is cut off already. */
  add(nodes: readonly string[], milliseconds: number): void {
    const until = this.#clock.monotonic() + milliseconds;
    for (const node of nodes) this.#until.set(node, Math.max(until, this.#until.get(node) ?? 0));
  }

  has(node: string): boolean {
    return (this.#until.get(node) ?? 0) > this.#clock.monotonic();
  }
}
