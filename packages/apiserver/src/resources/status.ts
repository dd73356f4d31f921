import { asKind, type KubernetesObject, type ObjectMeta } from '@binnacle/apimachinery/meta';
import { validateFinalizerDomains } from '@binnacle/apimachinery/validation';
import type { Strategy, Validation } from '../registry/index.js';
import { dropGatedFields, type GatedFields } from './gated-fields.js';

type Bare = Readonly<KubernetesObject>;

export interface StatusRules<T> {
  /**
   * The metadata that a status write keeps: only `labels`, what users write, all that a status write may not change, or
   * all but the managed fields. It always keeps everything else outside of the status. Default: nothing, as in most
   * kinds upstream.
   */
  readonly keeps?: 'labels' | 'userMetadata' | 'metadata' | 'allMetadata';
  /** Fields that are dropped, because their feature gates are off, after the spec has been restored. */
  readonly gated?: readonly GatedFields[];
  /** Runs after that. */
  readonly prepare?: (object: T & KubernetesObject, old: Readonly<T & KubernetesObject>, now: number) => void;
  readonly validateUpdate?: (object: T, old: T) => Validation;
}

const userMetadata = ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const;
const statusMetadata = ['deletionTimestamp', 'generation', 'selfLink', ...userMetadata] as const;

/** Writes the status and keeps everything else. Upstream: each kind's `statusStrategy`. */
export function statusStrategy<T>(rules: StatusRules<T> = {}): Strategy {
  const typed = (object: Bare) => asKind<T & KubernetesObject>(object);
  return {
    prepareForUpdate(object, old, context) {
      keepAllBut('status', object, old);
      if (rules.keeps === 'labels') keepMetadata(object.metadata, old.metadata, ['labels']);
      if (rules.keeps === 'userMetadata') keepMetadata(object.metadata, old.metadata, userMetadata);
      if (rules.keeps === 'metadata') keepMetadata(object.metadata, old.metadata, statusMetadata);
      if (rules.keeps === 'allMetadata') keepAllMetadata(object.metadata, old.metadata);
      dropGatedFields(object, old, rules.gated ?? []);
      rules.prepare?.(typed(object), typed(old), context.now);
    },
    validateUpdate(object, old) {
      if (rules.validateUpdate !== undefined) return rules.validateUpdate(typed(object), typed(old));
      return validateFinalizerDomains(object.metadata.finalizers, 'metadata.finalizers');
    },
  };
}

/** Restores every field except this one and metadata. */
export function keepAllBut(field: string, object: KubernetesObject, old: Bare): void {
  for (const name of new Set([...Object.keys(object), ...Object.keys(old)])) {
    if (name === field || name === 'metadata' || name === 'apiVersion' || name === 'kind') continue;
    if (old[name] === undefined) delete object[name];
    else object[name] = old[name];
  }
}

/** Upstream: `metav1.ResetObjectMetaForStatus`. */
export function keepUserMetadata(object: KubernetesObject, old: Bare): void {
  keepMetadata(object.metadata, old.metadata, statusMetadata);
}

function keepAllMetadata(meta: ObjectMeta, old: Readonly<ObjectMeta>): void {
  const { managedFields } = meta;
  for (const field of Object.keys(meta) as (keyof ObjectMeta)[]) delete meta[field];
  Object.assign(meta, old, { managedFields });
}

function keepMetadata(meta: ObjectMeta, old: Readonly<ObjectMeta>, fields: readonly (keyof ObjectMeta)[]): void {
  for (const field of fields) {
    if (old[field] === undefined) delete meta[field];
    else Object.assign(meta, { [field]: old[field] });
  }
}
