import { typeOfKind } from '@binnacle/api/table';
import { asKind, type KubernetesObject, parseGroupVersion } from '@binnacle/apimachinery/meta';
import type { FieldError } from '@binnacle/apimachinery/status';
import { nameIsDnsSubdomain, semanticEqual, validateFinalizerDomains } from '@binnacle/apimachinery/validation';
import type { Steps } from '@binnacle/apimachinery/work';
import type { Strategy, StrategyContext, Validation } from '../registry/index.js';
import { dropGatedFields, type GatedFields } from './gated-fields.js';

type Bare = Readonly<KubernetesObject>;

/** A kind's strategy, typed with the generated interface `T`. */
export interface KindRules<T> {
  /** Only the status subresource writes the status. */
  readonly status?: boolean;
  /**
   * The parts of the object that are the desired state. metadata.generation is 1 on create, and is incremented when it changes. Absent: the kind has
   * no generation.
   */
  readonly desired?: (object: KubernetesObject) => object;
  /** Fields that are dropped before the preparations, because their feature gates are off. */
  readonly gated?: readonly GatedFields[];
  /** Runs after status and generation have been set. */
  readonly prepareForCreate?: (object: T & KubernetesObject, context: StrategyContext) => void;
  readonly prepareForUpdate?: (
    object: T & KubernetesObject,
    old: Readonly<T & KubernetesObject>,
    context: StrategyContext,
  ) => void;
  /** Validates everything but metadata on a create. Required, so that no kind omits it by oversight. */
  readonly validate: (object: T) => Validation;
  /** Validates an update beyond the metadata rules of every kind, including finalizers. */
  readonly validateUpdate: (object: T, old: T) => Validation;
  readonly warnings?: (object: T & KubernetesObject, old: (T & KubernetesObject) | undefined) => string[];
  readonly selectable?: (object: T & KubernetesObject) => Record<string, string>;
  /** Finalizers of this kind need no domain. Default false. */
  readonly anyFinalizer?: boolean;
}

/** Strategy fields that need no translation. */
export type PlainStrategy = Pick<
  Strategy,
  | 'allowCreateOnUpdate'
  | 'allowUnconditionalUpdate'
  | 'canonicalize'
  | 'defaultDeletionPropagation'
  | 'fieldLabels'
  | 'gracefulDeletionSeconds'
  | 'hasOwnFinalizers'
  | 'indexedFields'
  | 'deletionRefusal'
  | 'keepsUnreadable'
  | 'markForDeletion'
  | 'prepareForDelete'
  | 'ready'
  | 'kindInErrors'
  | 'refusesDeletesAsUpdates'
  | 'returnsDeletedObject'
  | 'selectablePaths'
  | 'unnamedPropagationWarning'
  | 'unsupportedFieldLabel'
  | 'validateName'
>;

/** The generic strategy with a kind's own rules. */
export function kind<T>(rules: KindRules<T>, plain: PlainStrategy = {}): Strategy {
  const typed = (object: Bare) => asKind<T & KubernetesObject>(object);
  const {
    status,
    desired,
    gated = [],
    prepareForCreate,
    prepareForUpdate,
    validate,
    validateUpdate,
    warnings,
    selectable,
  } = rules;
  const finalizers = (object: Bare): FieldError[] =>
    rules.anyFinalizer === true ? [] : validateFinalizerDomains(object.metadata.finalizers, 'metadata.finalizers');
  return {
    validateName: nameIsDnsSubdomain,
    ...plain,
    prepareForCreate(object, context) {
      if (status === true) delete object['status'];
      if (desired !== undefined) object.metadata.generation = 1;
      dropGatedFields(object, undefined, gated);
      prepareForCreate?.(typed(object), context);
    },
    prepareForUpdate(object, old, context) {
      if (status === true) restore(object, old, 'status');
      dropGatedFields(object, old, gated);
      prepareForUpdate?.(typed(object), typed(old), context);
      if (desired !== undefined && !isSame(object, desired(object), desired(old))) raiseGeneration(object, old);
    },
    validate: (object) => following(finalizers(object), validate(typed(object))),
    validateUpdate: (object, old) => validateUpdate(typed(object), typed(old)),
    ...(warnings === undefined
      ? {}
      : { warnings: (object, old) => warnings(typed(object), old === undefined ? undefined : typed(old)) }),
    ...(selectable === undefined ? {} : selection((object) => selectable(typed(object)))),
  };
}

/** The field names do not depend on the object, so any object provides them. */
function selection(fields: (object: Bare) => Record<string, string>): Strategy {
  const nameless: KubernetesObject = { apiVersion: '', kind: '', metadata: {} };
  return { selectableFields: fields, selectableFieldNames: Object.keys(fields(nameless)) };
}

/** Restores the old value of a field, or its absence. */
export function restore(object: KubernetesObject, old: Bare, field: string): void {
  if (old[field] === undefined) delete object[field];
  else object[field] = old[field];
}

function raiseGeneration(object: KubernetesObject, old: Bare): void {
  object.metadata.generation = Number(old.metadata.generation ?? 0) + 1;
}

/** Whether parts of an object are those of another of its kind. */
function isSame({ apiVersion, kind: name }: Bare, parts: object, others: object): boolean {
  const groupVersion = parseGroupVersion(apiVersion);
  return semanticEqual(parts, others, groupVersion && typeOfKind({ ...groupVersion, kind: name }));
}

/** The spec is the desired state. */
export function spec(object: Bare): object {
  return { spec: object['spec'] };
}

/** Everything but metadata, kind and apiVersion is the desired state. */
export function content(object: Bare): object {
  const { metadata: _, kind: __, apiVersion: ___, status: ____, ...rest } = object;
  return rest;
}

function following(errors: readonly FieldError[], validation: Validation): Validation {
  return Array.isArray(validation) ? [...errors, ...validation] : followingSteps(errors, validation);
}

function* followingSteps(errors: readonly FieldError[], validation: Steps<FieldError[]>): Steps<FieldError[]> {
  return [...errors, ...(yield* validation)];
}
