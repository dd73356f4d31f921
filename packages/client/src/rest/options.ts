import type { LabelSelector } from '@binnacle/apimachinery/labels';

export interface GetOptions {
  /** The minimum version. `0` accepts any cached one. Default: the latest. */
  readonly resourceVersion?: string | undefined;
  /** Return only `metadata`, as `PartialObjectMetadata`. */
  readonly metadataOnly?: boolean | undefined;
}

/** Selects objects of a collection. Upstream: `metav1.ListOptions`. */
export interface SelectOptions {
  readonly labelSelector?: string | LabelSelector | undefined;
  /** `spec.nodeName=n,status.phase!=Running`. */
  readonly fieldSelector?: string | undefined;
}

export interface ListOptions extends SelectOptions {
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: 'NotOlderThan' | 'Exact' | undefined;
  /** The maximum number of items. The list's `continue` token leads to the next page. */
  readonly limit?: number | undefined;
  /** The token of the previous page. */
  readonly continue?: string | undefined;
  /** The server ends the request after this time; a watch ends without an error. */
  readonly timeoutSeconds?: number | undefined;
  /** Return only `metadata`, as `PartialObjectMetadata`. */
  readonly metadataOnly?: boolean | undefined;
}

export interface WatchOptions extends Omit<ListOptions, 'limit' | 'continue'> {
  /** Receive bookmarks, which carry the current version without a change. Default: false. */
  readonly allowWatchBookmarks?: boolean | undefined;
  /** Begin with the existing objects, ended by a bookmark. Also sets `NotOlderThan` and bookmarks. */
  readonly sendInitialEvents?: boolean | undefined;
}

export interface WriteOptions {
  /** Process the request without storing the result. */
  readonly dryRun?: boolean | undefined;
  /** The owner of the written fields. Default: the first part of the user agent. */
  readonly fieldManager?: string | undefined;
  /** How to treat unknown and duplicate fields. Default: the server's, `Warn`. */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined;
}

export interface PatchOptions extends WriteOptions {
  /** For patches of type `apply` only: take fields from other managers instead of failing with a conflict. */
  readonly force?: boolean | undefined;
}

export interface ServerSideApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  /** Take fields from other managers instead of failing with a conflict. */
  readonly force?: boolean | undefined;
}

/** Upstream: `metav1.DeleteOptions`. */
export interface DeleteOptions {
  readonly dryRun?: boolean | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  /** How to treat the object's dependents. */
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground' | undefined;
  /** The server refuses with a conflict if the object does not match. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string } | undefined;
}

export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';
