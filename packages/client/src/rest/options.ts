import type { LabelSelector } from '@binnacle/apimachinery/labels';

export interface GetOptions {
  /** Nothing older than this version; `0`: whatever the server has at hand. Default: the newest. */
  readonly resourceVersion?: string | undefined;
  /** Nothing but `metadata`, as `PartialObjectMetadata`. */
  readonly metadataOnly?: boolean | undefined;
}

/** What to list, watch or delete of a collection. Upstream: `metav1.ListOptions`. */
export interface SelectOptions {
  readonly labelSelector?: string | LabelSelector | undefined;
  /** `spec.nodeName=n,status.phase!=Running`. */
  readonly fieldSelector?: string | undefined;
}

export interface ListOptions extends SelectOptions {
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: 'NotOlderThan' | 'Exact' | undefined;
  /** How many at most; the list says how to go on. */
  readonly limit?: number | undefined;
  /** Where the last list ended. */
  readonly continue?: string | undefined;
  /** The server ends the request after so long, a watch without an error. */
  readonly timeoutSeconds?: number | undefined;
  /** Nothing but `metadata`, as `PartialObjectMetadata`. */
  readonly metadataOnly?: boolean | undefined;
}

export interface WatchOptions extends Omit<ListOptions, 'limit' | 'continue'> {
  /** Get told the version now and then even if nothing changes. Default: false. */
  readonly allowWatchBookmarks?: boolean | undefined;
  /** Begin with what there is, and say by a bookmark when that is all. Goes with `NotOlderThan` and bookmarks, which it sets. */
  readonly sendInitialEvents?: boolean | undefined;
}

export interface WriteOptions {
  /** Go through everything and store nothing. */
  readonly dryRun?: boolean | undefined;
  /** Who owns the fields. Default: what the user agent begins with. */
  readonly fieldManager?: string | undefined;
  /** What becomes of fields that are unknown or stand twice. Default: the server's, `Warn`. */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined;
}

export interface PatchOptions extends WriteOptions {
  /** With patches of type `apply` alone: take fields over from other managers, in place of a conflict. */
  readonly force?: boolean | undefined;
}

export interface ServerSideApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  /** Take fields over from other managers, in place of a conflict. */
  readonly force?: boolean | undefined;
}

/** Upstream: `metav1.DeleteOptions`. */
export interface DeleteOptions {
  readonly dryRun?: boolean | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  /** What becomes of what the object owns. */
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground' | undefined;
  /** Refused with a conflict unless the object is this one. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string } | undefined;
}

export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';
