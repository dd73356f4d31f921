import type { StoredObject } from '../storage/index.js';
import type { FieldValue } from './field-index.js';

export type ObjectEventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/**
 * What one watcher is told. One instance is shared by all watchers that see the same transition, and with it the
 * encoded frames: while it is recent, an event is encoded once per representation, when the first watcher asks.
 */
export class ObjectEvent {
  readonly type: ObjectEventType;
  /** For DELETED the last state, under the revision of the event. */
  readonly object: StoredObject;
  #frames: Map<string, Uint8Array> | undefined;
  #keepsFrames: boolean;

  /** `shared`: many watchers are going to ask for the frames, so that they are worth keeping. */
  constructor(type: ObjectEventType, object: StoredObject, shared: boolean) {
    this.type = type;
    this.object = object;
    this.#keepsFrames = shared;
  }

  get revision(): number {
    return this.object.revision;
  }

  /** The bytes of this event in a representation, made by `encode` on first use. */
  frame(representation: string, encode: (event: ObjectEvent) => Uint8Array): Uint8Array {
    const known = this.#frames?.get(representation);
    if (known !== undefined) return known;
    const frame = encode(this);
    if (this.#keepsFrames) {
      this.#frames ??= new Map();
      this.#frames.set(representation, frame);
    }
    return frame;
  }

  /** Lets the frames go and keeps none any more: the watchers that were up to date have had theirs. */
  settle(): void {
    this.#frames = undefined;
    this.#keepsFrames = false;
  }
}

/** Whether an object is in a watcher's selection; undefined = everything is. */
export interface ObjectFilter {
  (object: StoredObject): boolean;
  /** Only objects with this value of an indexed field are in it: all others need not be asked about. */
  readonly selected?: FieldValue;
}

/** One change of one object, as the store made it, seen through any selection. */
export class ObjectChange {
  readonly key: string;
  readonly revision: number;
  readonly current: StoredObject | undefined;
  /** What stood under the key before. */
  readonly previous: StoredObject | undefined;
  #whole: ObjectEvent | undefined;
  #entered: ObjectEvent | undefined;
  #left: ObjectEvent | undefined;
  #recent = true;

  /** At least one of `current` and `previous` is there. */
  constructor(key: string, revision: number, current: StoredObject | undefined, previous: StoredObject | undefined) {
    this.key = key;
    this.revision = revision;
    this.current = current;
    this.previous = previous;
  }

  /**
   * What a watcher with this selection is told: leaving it is DELETED, entering it ADDED, undefined = nothing.
   */
  seenThrough(filter: ObjectFilter | undefined): ObjectEvent | undefined {
    if (filter === undefined) return this.#wholeEvent();
    const now = this.current !== undefined && filter(this.current);
    const before = this.previous !== undefined && filter(this.previous);
    if (now) return before || this.previous === undefined ? this.#wholeEvent() : this.#enteredEvent();
    return before ? this.#leftEvent() : undefined;
  }

  /** No longer among the newest: its events stop keeping their encoded forms. */
  settle(): void {
    this.#recent = false;
    this.#whole?.settle();
    this.#entered?.settle();
    this.#left?.settle();
  }

  #wholeEvent(): ObjectEvent | undefined {
    if (this.#whole === undefined) {
      if (this.current === undefined) this.#whole = this.#leftEvent();
      else
        this.#whole = new ObjectEvent(this.previous === undefined ? 'ADDED' : 'MODIFIED', this.current, this.#recent);
    }
    return this.#whole;
  }

  #enteredEvent(): ObjectEvent | undefined {
    if (this.#entered === undefined && this.current !== undefined) {
      this.#entered = new ObjectEvent('ADDED', this.current, this.#recent);
    }
    return this.#entered;
  }

  #leftEvent(): ObjectEvent | undefined {
    if (this.#left === undefined && this.previous !== undefined) {
      this.#left = new ObjectEvent('DELETED', this.previous.withRevision(this.revision), this.#recent);
    }
    return this.#left;
  }
}
