import type { Int64 } from '@binnacle/apimachinery/json';
import type { GroupKind, GroupVersionKind, KubernetesObject } from '@binnacle/apimachinery/meta';
import type { FieldError } from '@binnacle/apimachinery/status';
import type { Steps, WorkBudget } from '@binnacle/apimachinery/work';
import type { Requester } from './requester.js';

/** The parts of a request that a strategy sees. */
export interface StrategyContext {
  readonly namespace: string;
  /** Milliseconds of the server's clock. */
  readonly now: number;
  readonly userName: string;
  readonly requester?: Requester | undefined;
  /** Adds a `Warning` header to the answer. */
  warn(text: string): void;
}

/** The errors of an object, or the steps that find them. */
export type Validation = FieldError[] | Steps<FieldError[]>;

/**
 * The rules of one kind: pure functions over objects in the storage version. An absent member has the behaviour of
 * the generic registry. A create calls prepareForCreate, validate and warnings in this order; an update calls
 * prepareForUpdate, validateUpdate and warnings. The registry handles and validates metadata for every kind.
 * Upstream: apiserver `pkg/registry/rest` create.go and update.go.
 */
export interface Strategy<T = KubernetesObject> {
  /**
   * Settles when everything that validation needs is loaded; creates and updates wait for it. Absent: always ready.
   */
  ready?(): Promise<unknown>;
  /**
   * Resets fields that a client may not set: usually `delete object.status`. Sets generation where the kind has one.
   */
  prepareForCreate?(object: T, context: StrategyContext): void;
  /** Restores fields that a client may not change; increments generation when the desired state changed. */
  prepareForUpdate?(object: T, old: Readonly<T>, context: StrategyContext): void;
  validate?(object: Readonly<T>, budget: WorkBudget): Validation;
  /** Every rule of `validate` that applies to updates, and immutability. */
  validateUpdate?(object: Readonly<T>, old: Readonly<T>, budget: WorkBudget): Validation;
  warnings?(object: Readonly<T>, old: Readonly<T> | undefined): string[];
  /** Puts the object into the one form in which it is stored, after validation. */
  canonicalize?(object: T): void;
  /** The rule for metadata.name. Default: a DNS-1123 subdomain. */
  validateName?(name: string, prefix: boolean): string[];
  /** PUT on an absent object creates it. Default false. */
  readonly allowCreateOnUpdate?: boolean;
  /** PUT without a resourceVersion overwrites. Default true. */
  readonly allowUnconditionalUpdate?: boolean;
  /**
   * Only for kinds with graceful deletion: the grace period in seconds, 0 = at once. `requested` undefined = the
   * kind's default.
   */
  gracefulDeletionSeconds?(object: Readonly<T>, requested: Int64 | undefined): Int64;
  /** Whether the object has finalizers outside metadata.finalizers, such as a namespace's spec.finalizers. */
  hasOwnFinalizers?(object: Readonly<T>): boolean;
  /** Runs when an object is marked for deletion and kept. */
  prepareForDelete?(object: T): void;
  /**
   * Replaces the usual deletion mark; runs on every delete of an object that is kept. The first delete ignores the
   * propagation policy.
   */
  markForDeletion?(object: T, now: number): void;
  /** The kind that error messages name. Default: the resource's. */
  kindInErrors?(object: Readonly<T>): GroupKind;
  /** The reason why the object of this name cannot be deleted; undefined if it can. Absent: every object can. */
  deletionRefusal?(name: string): string | undefined;
  /** Whether a failed delete precondition is reported in the words of an update. Default false. */
  readonly refusesDeletesAsUpdates?: boolean;
  /** A delete answers with the deleted object instead of a Status. Default false. */
  readonly returnsDeletedObject?: boolean;
  /** An object that no one can read is not deleted, whatever the user may do. Default false. */
  readonly keepsUnreadable?: boolean;
  /** Seconds after each write at which an object expires. */
  ttlSeconds?(object: Readonly<T>): number | undefined;
  /**
   * The propagation policy of a delete that names none. Default: background. `Unsupported`: the garbage collector ignores the
   * kind, so a delete ignores the policy that it names.
   */
  readonly defaultDeletionPropagation?: 'Background' | 'Orphan' | 'Unsupported';
  /** The warning of a delete that names no propagation policy. */
  readonly unnamedPropagationWarning?: string;
  /** Values for field selectors beyond metadata.name and metadata.namespace: `spec.nodeName` -> value. */
  selectableFields?(object: Readonly<T>): Record<string, string>;
  /** The field names of {@link selectableFields}, so that unknown names are refused without an object. */
  readonly selectableFieldNames?: readonly string[];
  /**
   * The dotted paths that {@link selectableFields} reads, so that only these are decoded. Absent: the whole object.
   */
  readonly selectablePaths?: readonly string[];
  /**
   * The only labels that field selectors may name, each with its stored field, where another kind with other names
   * stores the objects.
   */
  readonly fieldLabels?: ReadonlyMap<string, string>;
  /** The message for a field label of a version that selectors may not use. */
  readonly unsupportedFieldLabel?: (label: string, kind: GroupVersionKind) => string;
  /**
   * The selectable fields that many clients select by value. Lists and watches find their objects through an index. The value of
   * such a field is the string at the path that it names, or empty.
   */
  readonly indexedFields?: readonly string[];
}
