import type { Int64 } from '@binnacle/apimachinery/json';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import type { Awaitable, WorkBudget } from '@binnacle/apimachinery/work';
import type { StoredVersion, WriterIdentity } from '../storage/index.js';
import type { Requester } from './requester.js';
import type { Strategy } from './strategy.js';

/** The parts of a request that a write uses. */
export interface WriteScope {
  readonly namespace: string;
  /** Absent for the server's own writes; '' = the object itself. */
  readonly subresource?: string | undefined;
  /** Of the request; absent for the server's own writes. */
  readonly verb?: string | undefined;
  readonly userName: string;
  /** The other attributes of the user; absent for the server's own writes. */
  readonly requester?: Requester | undefined;
  /** Kept in the history of the store; absent for the server's own writes. */
  readonly writer?: WriterIdentity | undefined;
  readonly dryRun: boolean;
  readonly admission: AdmissionChain;
  /** The work that the request may cause; absent for the server's own writes. */
  readonly budget?: WorkBudget | undefined;
  /** Aborted when the request ends; absent for the server's own writes. */
  readonly signal?: AbortSignal | undefined;
  /** Adds a `Warning` header to the answer. */
  warn(text: string): void;
}

/**
 * Admission, as the write loop calls it: mutating before the strategy prepares the object, validating after
 * canonicalization. Both may run several times and must return the same result for the same input.
 */
export interface AdmissionChain {
  admitCreate(object: KubernetesObject): void | Promise<void>;
  validateCreate(object: Readonly<KubernetesObject>): void | Promise<void>;
  /** Runs right before a new object is stored, which is stored under these conditions; see `Conditions` of `storage`. */
  createConditions?(object: Readonly<KubernetesObject>, isRetry: boolean): Awaitable<readonly StoredVersion[]>;
  admitUpdate(object: KubernetesObject, old: Readonly<KubernetesObject>): void | Promise<void>;
  validateUpdate(object: Readonly<KubernetesObject>, old: Readonly<KubernetesObject>): void | Promise<void>;
  /** Runs before an object is deleted or marked for deletion. */
  validateDelete(old: Readonly<KubernetesObject>): void | Promise<void>;
}

/** For the server's own writes, which skip admission. */
export const noAdmission: AdmissionChain = {
  admitCreate: () => undefined,
  validateCreate: () => undefined,
  admitUpdate: () => undefined,
  validateUpdate: () => undefined,
  validateDelete: () => undefined,
};

/** One write, before it is validated. */
export interface GuardedWrite {
  readonly scope: WriteScope;
  /** The name in the URL; empty for a create of a collection. */
  readonly name: string;
  readonly object: Readonly<KubernetesObject>;
  /** Undefined on a create. */
  readonly old: Readonly<KubernetesObject> | undefined;
}

/**
 * Decides whether the requester may write this content. Runs after mutating admission and before every other check,
 * including conflicts, and in dry runs as well. Rejects with a StatusError.
 */
export interface WriteGuard {
  check(write: GuardedWrite): Promise<void>;
}

export interface Preconditions {
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

export interface UpdateRequest {
  readonly name: string;
  /** Returns the new object, made from its own copy of the current one (undefined = none). It runs once for each attempt. */
  readonly transform: (current: KubernetesObject | undefined) => KubernetesObject | Promise<KubernetesObject>;
  /** Whether the transform leaves the current object as it is, and needs no copy. Default false. */
  readonly leavesCurrent?: boolean | undefined;
  readonly preconditions?: Preconditions | undefined;
  /** Replaces the resource's strategy, for a subresource. */
  readonly strategy?: Strategy | undefined;
  /** Create an absent object whatever the strategy says, for server-side apply. */
  readonly createIfAbsent?: boolean;
  /** The update fails if the object is too large with its managed fields. Default false: it then leaves them out. */
  readonly requiresManagers?: boolean | undefined;
}

export interface DeleteOptions {
  readonly gracePeriodSeconds?: Int64 | undefined;
  readonly preconditions?: Preconditions | undefined;
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan' | undefined;
  /** The deprecated form of the policy; it takes precedence when set. */
  readonly orphanDependents?: boolean | undefined;
}

/**
 * Something claimed for an object before it is written, such as a cluster IP or a node port. It is released if the
 * write fails.
 */
export interface Claim {
  commit(): void | Promise<void>;
  rollback(): void | Promise<void>;
}

/**
 * Claims values outside the object's own key. Runs after defaulting and before validation, and may set fields of the
 * object.
 */
export interface Allocator {
  claimForCreate(object: KubernetesObject, scope: WriteScope): Promise<Claim>;
  claimForUpdate(object: KubernetesObject, old: Readonly<KubernetesObject>, scope: WriteScope): Promise<Claim>;
  /** Releases everything the deleted object held. Never throws. */
  release(object: Readonly<KubernetesObject>): Promise<void>;
}
