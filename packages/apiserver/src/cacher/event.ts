import type { StoredObject } from '../storage/index.js';

export type ObjectEventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/**
 * What one watcher is told. One instance is shared by all watchers that see the same transition, and with it the
 * encoded frames: an event is encoded once per representation, when the first watcher asks.
 */
export class ObjectEvent {
  readonly type: ObjectEventType;
  /** For DELETED the last state, under the revision of the event. */
  readonly object: StoredObject;
  #frames: Map<string, Uint8Array> | undefined;

  constructor(type: ObjectEventType, object: StoredObject) {
    this.type = type;
    this.object = object;
  }

  get revision(): number {
    return this.object.revision;
  }

  /** The bytes of this event in a representation, made by `encode` on first use. */
  frame(representation: string, encode: (event: ObjectEvent) => Uint8Array): Uint8Array {
    this.#frames ??= new Map();
    let frame = this.#frames.get(representation);
    if (frame === undefined) {
      frame = encode(this);
      this.#frames.set(representation, frame);
    }
    return frame;
  }
}

/** Whether an object is in a watcher's selection; undefined = everything is. */
export type ObjectFilter = (object: StoredObject) => boolean;

/** One change of one object, as the store made it, seen through any selection. */
export class ObjectChange {
  readonly key: string;
  readonly revision: number;
  readonly current: StoredObject | undefined;
  readonly #previous: StoredObject | undefined;
  #whole: ObjectEvent | undefined;
  #entered: ObjectEvent | undefined;
  #left: ObjectEvent | undefined;

  /** At least one of `current` and `previous` is there. */
  constructor(key: string, revision: number, current: StoredObject | undefined, previous: StoredObject | undefined) {
    this.key = key;
    this.revision = revision;
    this.current = current;
    this.#previous = previous;
  }

  /**
   * What a watcher with this selection is told: leaving it is DELETED, entering it ADDED, undefined = nothing.
   */
  seenThrough(filter: ObjectFilter | undefined): ObjectEvent | undefined {
    if (filter === undefined) return this.#wholeEvent();
    const now = this.current !== undefined && filter(this.current);
    const before = this.#previous !== undefined && filter(this.#previous);
    if (now) return before || this.#previous === undefined ? this.#wholeEvent() : this.#enteredEvent();
    return before ? this.#leftEvent() : undefined;
  }

  #wholeEvent(): ObjectEvent | undefined {
    if (this.#whole === undefined) {
      if (this.current === undefined) this.#whole = this.#leftEvent();
      else this.#whole = new ObjectEvent(this.#previous === undefined ? 'ADDED' : 'MODIFIED', this.current);
    }
    return this.#whole;
  }

  #enteredEvent(): ObjectEvent | undefined {
    if (this.#entered === undefined && this.current !== undefined) {
      this.#entered = new ObjectEvent('ADDED', this.current);
    }
    return this.#entered;
  }

  #leftEvent(): ObjectEvent | undefined {
    if (this.#left === undefined && this.#previous !== undefined) {
      this.#left = new ObjectEvent('DELETED', this.#previous.withRevision(this.revision));
    }
    return this.#left;
  }
}
