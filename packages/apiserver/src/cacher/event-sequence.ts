import type { StoredObject } from '../storage/index.js';
import { ObjectEvent } from './event.js';

/**
 * Events in order: the objects of an initial state as ADDED, then changes. An event of the initial state is made each time it
 * is read, because thousands of watches may wait to send the same objects.
 */
export class EventSequence implements Iterable<ObjectEvent> {
  readonly initial: readonly StoredObject[];
  readonly #changes: readonly ObjectEvent[];

  constructor(initial: readonly StoredObject[], changes: readonly ObjectEvent[]) {
    this.initial = initial;
    this.#changes = changes;
  }

  get length(): number {
    return this.initial.length + this.#changes.length;
  }

  /** The event at an index, which is not negative. */
  at(index: number): ObjectEvent | undefined {
    const object = this.initial[index];
    if (object !== undefined) return new ObjectEvent('ADDED', object, false);
    return this.#changes[index - this.initial.length];
  }

  /** The first events, at most `count`. */
  first(count: number): EventSequence {
    if (count >= this.length) return this;
    const changes = this.#changes.slice(0, Math.max(0, count - this.initial.length));
    return new EventSequence(this.initial.slice(0, count), changes);
  }

  *[Symbol.iterator](): Iterator<ObjectEvent> {
    for (const object of this.initial) yield new ObjectEvent('ADDED', object, false);
    yield* this.#changes;
  }
}
