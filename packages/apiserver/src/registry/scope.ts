import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import type { WorkBudget } from '@binnacle/apimachinery/work';

/** The parts of a request that a write uses. */
export interface WriteScope {
  readonly namespace: string;
  readonly userName: string;
  /** The other attributes of the user; absent for the server's own writes. */
  readonly requester?: Requester;
  readonly dryRun: boolean;
  /** The work that the request may cause; absent for the server's own writes. */
  readonly budget?: WorkBudget;
  /** Adds a `Warning` header to the answer. */
  warn(text: string): void;
}

export interface Requester {
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/**
 * Admission, as the write loop calls it: mutating before the strategy prepares the object, validating after
 * canonicalization. Both may run several times and must return the same result for the same input.
 */
export interface AdmissionChain {
  admitCreate(object: KubernetesObject): void | Promise<void>;
  validateCreate(object: Readonly<KubernetesObject>): void | Promise<void>;
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
  readonly uid?: string;
  readonly resourceVersion?: string;
}

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: Preconditions;
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan';
  /** The deprecated form of the policy; it takes precedence when set. */
  readonly orphanDependents?: boolean;
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
