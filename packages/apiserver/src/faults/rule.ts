/** A value, or several of which any matches. */
export type Wanted = string | readonly string[];

/**
 * Selects requests: every given field must match. Values are those of the path. `name` is empty for a create, a list
 * and a watch. `namespace` is empty for cluster-scoped resources and all namespaces, `group` for the core group,
 * `subresource` for the object.
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
  /** The name of the requesting user. */
  readonly user?: Wanted;
}

/**
 * - `answer`: refuses the request with this code and its Status, without executing it. 429 has a Retry-After of one
 *   second by default, and none with 0.
 * - `delay`: makes the request wait first. The deadlines of client and server continue to run.
 * - `drop`: closes the connection without an answer, with all other requests on it.
 * - `cutWatch`: ends the watch after that many more events, or at once: like a timeout (`end`), by a broken stream
 *   (`break`), or by a 410 event (`expire`).
 * - `holdCache`: stops updates of the resource's cache. Reads of any version are stale, and watches are silent. The
 *   store answers reads of the newest state, or of a version that the cache does not have.
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
  /**
   * The maximum number of hits. Default: until the rule is removed. Not allowed with `holdCache`, which lasts until
   * then.
   */
  readonly times?: number | undefined;
  readonly action: FaultAction;
}

/** A rule that is active or spent. */
export interface Fault extends Disposable {
  readonly id: string;
  readonly rule: FaultRule;
  /** The number of hits; for `holdCache`, the number of queued changes. */
  readonly hits: number;
  /** Removes the rule and releases queued changes. Disposing the rule does the same. Idempotent. */
  remove(): void;
}
