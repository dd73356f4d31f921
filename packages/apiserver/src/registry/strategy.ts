import type { GroupKind, KubernetesObject } from '@binnacle/apimachinery/meta';
import type { FieldError } from '@binnacle/apimachinery/status';
import type { Steps, WorkBudget } from '@binnacle/apimachinery/work';
import type { Requester } from './scope.js';

/** What a strategy may know of the request. */
export interface StrategyContext {
  readonly namespace: string;
  /** Milliseconds, the server's clock. */
  readonly now: number;
  readonly userName: string;
  readonly requester?: Requester;
  /** Adds a `Warning` header to the answer. */
  warn(text: string): void;
}

/** What is wrong with an object, or the steps to find out. */
export type Validation = FieldError[] | Steps<FieldError[]>;

/**
 * The rules that one kind has of its own; pure functions over objects in the storage version. What is not given
 * behaves as the generic registry does. Order of a create: prepareForCreate, validate, warnings; of an update:
 * prepareForUpdate, validateUpdate, warnings. metadata is handled and validated by the registry for every kind.
 * Upstream: apiserver `pkg/registry/rest` create.go and update.go.
 */
export interface Strategy<T = KubernetesObject> {
  /** Settles when all that checks objects is loaded; creates and updates wait for it. Absent: it always is. */
  ready?(): Promise<unknown>;
  /** Resets what a client may not set: usually `delete object.status`. Sets generation where the kind has one. */
  prepareForCreate?(object: T, context: StrategyContext): void;
  /** Restores what a client may not change; raises generation when the desired state changed. */
  prepareForUpdate?(object: T, old: Readonly<T>, context: StrategyContext): void;
  validate?(object: Readonly<T>, budget: WorkBudget): Validation;
  /** All of `validate` that applies to updates, and immutability. */
  validateUpdate?(object: Readonly<T>, old: Readonly<T>, budget: WorkBudget): Validation;
  warnings?(object: Readonly<T>, old: Readonly<T> | undefined): string[];
  /** Puts the object into the one form in which it is stored, after validation. */
  canonicalize?(object: T): void;
  /** metadata.name's rule. Default: a DNS-1123 subdomain. */
  validateName?(name: string, prefix: boolean): string[];
  /** PUT on an absent object creates it. Default false. */
  readonly allowCreateOnUpdate?: boolean;
  /** PUT without a resourceVersion overwrites. Default true. */
  readonly allowUnconditionalUpdate?: boolean;
  /** Only for kinds with graceful deletion: seconds to grant, 0 = at once. `requested` undefined = the kind's default. */
  gracefulDeletionSeconds?(object: Readonly<T>, requested: number | undefined): number;
  /** Beside metadata.finalizers: whether the object holds itself back from deletion (a namespace's spec.finalizers). */
  hasFinalizersOfItsOwn?(object: Readonly<T>): boolean;
  /** Runs when an object is marked for deletion and kept. */
  prepareForDelete?(object: T): void;
  /** Marks an object for deletion in a way of its own; runs on every delete of one that is kept. */
  markForDeletion?(object: T, now: number): void;
  /** The kind that refusals name; default: the resource's. */
  refusedAs?(object: Readonly<T>): GroupKind;
  /** Why an object of this name is never deleted; undefined where it may be. Absent: any may. */
  keeps?(name: string): string | undefined;
  /** A delete whose preconditions fail is refused in the words of an update. Default: in words of its own. */
  readonly refusesDeletesAsUpdates?: boolean;
  /** A delete answers with the deleted object instead of a Status. Default false. */
  readonly returnsDeletedObject?: boolean;
  /** Objects of the kind expire so many seconds after each write. */
  ttlSeconds?(object: Readonly<T>): number | undefined;
  /** What deletes record when the client names no policy. Default: background. */
  readonly defaultDeletionPropagation?: 'Background' | 'Orphan';
  /** field selectors beyond metadata.name and metadata.namespace: `spec.nodeName` -> value. */
  selectableFields?(object: Readonly<T>): Record<string, string>;
  /** The names that {@link selectableFields} answers, so that unknown ones are refused without an object. */
  readonly selectableFieldNames?: readonly string[];
  /** The members that {@link selectableFields} looks at, as dotted paths, so that no more of an object is decoded. Absent: any. */
  readonly selectablePaths?: readonly string[];
  /** The only labels that selectors may name, and the field that each is, where the kind is stored as one with other names for them. */
  readonly fieldLabels?: ReadonlyMap<string, string>;
  /** Those of them that are often asked for by value, by many clients: lists and watches find their objects by an index. */
  readonly indexedFields?: readonly string[];
}
