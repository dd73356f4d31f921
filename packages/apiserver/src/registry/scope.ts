import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import type { WorkBudget } from '@binnacle/apimachinery/work';

/** What a write needs to know of the request that asks for it. */
export interface WriteScope {
  readonly namespace: string;
  readonly userName: string;
  /** What else is known of the user; absent for writes of the server's own. */
  readonly requester?: Requester;
  readonly dryRun: boolean;
  /** What the request may make the server do; absent for writes of the server's own. */
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
 * Admission, as the registry runs it inside its loop: mutating before the strategy prepares the object, validating after
 * it is canonical. Both may run several times and must give the same answer for the same input.
 */
export interface AdmissionChain {
  admitCreate(object: KubernetesObject): void | Promise<void>;
  validateCreate(object: Readonly<KubernetesObject>): void | Promise<void>;
  admitUpdate(object: KubernetesObject, old: Readonly<KubernetesObject>): void | Promise<void>;
  validateUpdate(object: Readonly<KubernetesObject>, old: Readonly<KubernetesObject>): void | Promise<void>;
  /** Runs before an object is deleted or marked for deletion. */
  validateDelete(old: Readonly<KubernetesObject>): void | Promise<void>;
}

/** For writes of the server's own, which no plugin judges. */
export const noAdmission: AdmissionChain = {
  admitCreate: () => undefined,
  validateCreate: () => undefined,
  admitUpdate: () => undefined,
  validateUpdate: () => undefined,
  validateDelete: () => undefined,
};

/** One write on its way into the store. */
export interface GuardedWrite {
  readonly scope: WriteScope;
  /** The name in the URL; empty for a create of a collection. */
  readonly name: string;
  readonly object: Readonly<KubernetesObject>;
  /** Undefined on a create. */
  readonly old: Readonly<KubernetesObject> | undefined;
}

/**
 * Decides whether the requester may make a write of this content. Runs after mutating admission and before all else, a
 * conflict included, for dry runs as well; rejects with a StatusError.
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
  /** The old form of the policy; overrides it when set. */
  readonly orphanDependents?: boolean;
}

/**
 * Something claimed for an object before it is written and given back if the write fails: cluster IPs, node ports.
 */
export interface Claim {
  commit(): void | Promise<void>;
  rollback(): void | Promise<void>;
}

/** Claims what a kind needs beside its own key. Runs after defaulting, before validation; may fill the object in. */
export interface Allocator {
  claimForCreate(object: KubernetesObject, scope: WriteScope): Promise<Claim>;
  claimForUpdate(object: KubernetesObject, old: Readonly<KubernetesObject>, scope: WriteScope): Promise<Claim>;
  /** The object is gone: give back all it held. Never throws. */
  release(object: Readonly<KubernetesObject>): Promise<void>;
}
