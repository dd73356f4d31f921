import type { StoredObject } from '../storage/index.js';
import type { FieldValue } from './field-index.js';

export type ObjectEventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/**
 * A watch event. All watchers that see the same transition share one instance and its encoded frames. While it is
 * recent, it is encoded once per representation, when the first watcher asks.
 */
export class ObjectEvent {
  readonly type: ObjectEventType;
  /** For DELETED, the last state with the revision of the delete. */
  readonly object: StoredObject;
  #frames: Map<string, Uint8Array> | undefined;
  #keepsFrames: boolean;

  /** `shared`: many watchers will ask for the frames, so they are worth keeping. */
  constructor(type: ObjectEventType, object: StoredObject, shared: boolean) {
    this.type = type;
    this.object = object;
    this.#keepsFrames = shared;
  }

  get revision(): number {
    return this.object.revision;
  }

  /** The bytes of this event in a representation; `encode` makes them on first use. */
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

  /** Drops the frames and keeps no later ones: watchers that are up to date already have theirs. */
  settle(): void {
    this.#frames = undefined;
    this.#keepsFrames = false;
  }
}

/** Whether an object is in a watcher's selection; undefined = everything is. */
export interface ObjectFilter {
  (object: StoredObject): boolean;
  /** Only objects with this value of an indexed field match; others need no test. */
  readonly selected?: FieldValue;
}

/** One change of one object in the store, before any selection. */
export class ObjectChange {
  readonly key: string;
  readonly revision: number;
  readonly current: StoredObject | undefined;
  /** The object under the key before the change. */
  readonly previous: StoredObject | undefined;
  /** Ends watchers, because the state of the object that they have seen is unknown. */
  readonly lost: Error | undefined;
  #whole: ObjectEvent | undefined;
  #entered: ObjectEvent | undefined;
  #left: ObjectEvent | undefined;
  #recent = true;

  /** At least one of `current`, `previous` and `lost` is set. */
  constructor(
    key: string,
    revision: number,
    current: StoredObject | undefined,
    previous: StoredObject | undefined,
    lost?: Error,
  ) {
    this.key = key;
    this.lost = lost;
    this.revision = revision;
    this.current = current;
    this.previous = previous;
  }

  /**
   * The event for a watcher with this selection: DELETED when the object leaves it, ADDED when it enters; undefined =
   * no event.
   */
  seenThrough(filter: ObjectFilter | undefined): ObjectEvent | undefined {
    if (filter === undefined) return this.#wholeEvent();
    const now = this.current !== undefined && filter(this.current);
    const before = this.previous !== undefined && filter(this.previous);
    if (now) return before || this.previous === undefined ? this.#wholeEvent() : this.#enteredEvent();
    return before ? this.#leftEvent() : undefined;
  }

  /** The change is no longer among the newest: its events drop their frames. */
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
