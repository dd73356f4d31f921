/** One of these values; of several, any. */
export type Wanted = string | readonly string[];

/**
 * Which requests a rule is about: those that fit every field that is there. Values are as in the path: `name` is empty for a create, a list
 * and a watch, `namespace` for what spans all or is in none, `group` for the core, `subresource` for the object itself.
 */
export interface FaultMatch {
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`. */
  readonly verb?: Wanted;
  readonly group?: Wanted;
  readonly version?: Wanted;
  /** Plural: `configmaps`. */
  readonly resource?: Wanted;
  readonly subresource?: Wanted;
  readonly namespace?: Wanted;
  readonly name?: Wanted;
  /** The name of the user who asks. */
  readonly user?: Wanted;
}

/**
 * - `answer`: the request is refused with this code and its proper Status, and not carried out. 429 has a Retry-After of a second unless it
 *   says otherwise; with 0, none.
 * - `delay`: it has to wait first. The client's deadline and the server's go on meanwhile.
 * - `drop`: its connection is closed without an answer, with all that is under way on it.
 * - `cutWatch`: the watch ends after so many further events, or at once: as if its time were up (`end`), by a broken stream (`break`), or by
 *   an event that says 410 (`expire`).
 * - `holdCache`: the cache of the resource stands still. Reads that take any version are stale and watches are silent; reads of the newest
 *   state, or of a version that the cache does not have, are answered by the store.
 */
export type FaultAction =
  | {
      readonly type: 'answer';
      readonly code: number;
      readonly message?: string | undefined;
      readonly retryAfterSeconds?: number | undefined;
    }
  | { readonly type: 'delay'; readonly milliseconds: number }
  | { readonly type: 'drop' }
  | { readonly type: 'cutWatch'; readonly afterEvents?: number | undefined; readonly how?: WatchEnding | undefined }
  | { readonly type: 'holdCache' };

export type WatchEnding = 'end' | 'break' | 'expire';

export interface FaultRule {
  /** Default: all requests for resources. */
  readonly match?: FaultMatch;
  /** How often it acts. Default: until it is removed. Not with `holdCache`, which lasts. */
  readonly times?: number | undefined;
  readonly action: FaultAction;
}

/** A rule in force, or spent. */
export interface Fault extends Disposable {
  readonly id: string;
  readonly rule: FaultRule;
  /** How often it has acted; of `holdCache`, how many changes it has held back. */
  readonly hits: number;
  /** Ends it; what it held back goes on. The same as disposing of it. Idempotent. */
  remove(): void;
}
