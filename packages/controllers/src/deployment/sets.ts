import { deepEqual, type JsonObject, type JsonValue, isObject } from '@binnacle/apimachinery/json';
import { asJson } from '@binnacle/apimachinery/meta';
import type { Deployment, ReplicaSet } from '@binnacle/client/kinds/apps/v1';
import type { PodTemplateSpec } from '@binnacle/client/kinds/core/v1';
import { timeOf } from '../common/index.js';
import { revisionOf } from './annotations.js';

export const TEMPLATE_HASH = 'pod-template-hash';

export function replicasOf({ spec }: ReplicaSet | Deployment): number {
  return spec?.replicas ?? 1;
}

export function sumOf(sets: readonly ReplicaSet[], count: (set: ReplicaSet) => number | undefined): number {
  return sets.reduce((sum, set) => sum + (count(set) ?? 0), 0);
}

/** Sets that have pods, or want some. */
export function activeSets(sets: readonly ReplicaSet[]): ReplicaSet[] {
  return sets.filter((set) => replicasOf(set) > 0);
}

/** Oldest first. */
export function byAge(one: ReplicaSet, other: ReplicaSet): number {
  const older = (timeOf(one.metadata.creationTimestamp) ?? 0) - (timeOf(other.metadata.creationTimestamp) ?? 0);
  return older || compareNames(one, other);
}

/** Oldest revision first. */
export function byRevision(one: ReplicaSet, other: ReplicaSet): number {
  const [first, second] = [revisionOf(one), revisionOf(other)];
  if (first === undefined || second === undefined || first === second) return byAge(one, other);
  return first < second ? -1 : 1;
}

/** The set of the Deployment's current template; the oldest, if several have it. */
export function newSetOf(deployment: Deployment, sets: readonly ReplicaSet[]): ReplicaSet | undefined {
  const wanted = comparable(deployment.spec?.template);
  return sets.toSorted(byAge).find(({ spec }) => deepEqual(comparable(spec?.template), wanted));
}

/** Ignores the label `pod-template-hash`, which only templates of sets have. */
export function hasTemplate({ spec }: ReplicaSet, template: PodTemplateSpec | undefined): boolean {
  return deepEqual(comparable(spec?.template), comparable(template));
}

function comparable(template: PodTemplateSpec | undefined): JsonObject {
  const { metadata, ...rest } = asJson(template ?? {});
  const fields = isObject(metadata) ? { ...metadata } : {};
  if (isObject(fields['labels'])) {
    const { [TEMPLATE_HASH]: _, ...labels } = fields['labels'];
    fields['labels'] = labels;
  }
  // Empty maps and null times are as good as missing.
  return { ...rest, metadata: Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value))) };
}

function isEmpty(value: JsonValue | undefined): boolean {
  return value === null || value === undefined || (isObject(value) && Object.keys(value).length === 0);
}

function compareNames(one: ReplicaSet, other: ReplicaSet): number {
  const { name: first = '' } = one.metadata;
  const { name: second = '' } = other.metadata;
  return first < second ? -1 : Number(first > second);
}
