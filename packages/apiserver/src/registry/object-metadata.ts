import { getOwn, isObject, type JsonValue } from '@binnacle/apimachinery/json';
import { differInTimeAlone } from '@binnacle/apimachinery/managedfields';
import { asJson, type KubernetesObject, type ObjectMeta } from '@binnacle/apimachinery/meta';
import { formatTime } from '@binnacle/apimachinery/time';
import { inSlices } from '../slices/index.js';
import type { StoredObject } from '../storage/index.js';

/** Sets the system metadata of a new object, and removes what only the server sets later. `now`: milliseconds. */
export function fillSystemMetadata(metadata: ObjectMeta, now: number, uid: string): void {
  delete metadata.resourceVersion;
  delete metadata.selfLink;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  metadata.uid = uid;
  metadata.creationTimestamp = formatTime(now);
}

/** Restores the generation, which only the strategy changes. */
export function keepGeneration(metadata: ObjectMeta, before: Readonly<ObjectMeta>): void {
  if (before.generation === undefined) delete metadata.generation;
  else metadata.generation = before.generation;
}

/** Restores the system metadata that an update cannot change. */
export function keepSystemMetadata(metadata: ObjectMeta, before: Readonly<ObjectMeta>): void {
  if ((metadata.uid ?? '') === '' && before.uid !== undefined) metadata.uid = before.uid;
  if (before.creationTimestamp !== undefined) metadata.creationTimestamp = before.creationTimestamp;
  if (before.deletionTimestamp !== undefined) metadata.deletionTimestamp = before.deletionTimestamp;
  if (before.deletionGracePeriodSeconds !== undefined && metadata.deletionGracePeriodSeconds === undefined) {
    metadata.deletionGracePeriodSeconds = before.deletionGracePeriodSeconds;
  }
  delete metadata.selfLink;
}

/** Encodes an object as the store does. */
export type Encode = (object: Readonly<KubernetesObject>) => Uint8Array | Promise<Uint8Array>;

/**
 * An update that only changes timestamps in managed fields changes nothing. Upstream: apiserver
 * `IgnoreManagedFieldsTimestampsTransformer`.
 */
export async function keepManagerTimes(
  object: KubernetesObject,
  old: Readonly<KubernetesObject>,
  current: Pick<StoredObject, 'canonical'>,
  encode: Encode,
): Promise<void> {
  const { managedFields } = old.metadata;
  if (managedFields === undefined || haveOtherContent(object, old)) return;
  if (!(await inSlices(differInTimeAlone(managedFields, object.metadata.managedFields)))) return;
  const bytes = await encode({ ...object, metadata: { ...object.metadata, managedFields } });
  if (Buffer.compare(bytes, current.canonical) === 0) object.metadata.managedFields = managedFields;
}

/** Beyond this, encodings are compared, which takes steps. */
const MOST_VALUES = 2000;

/**
 * Whether the objects certainly have different encodings apart from their managed fields, because a scalar of one differs
 * from the scalar in the same place of the other. Most updates change one, and need no encoding for this comparison.
 */
function haveOtherContent(object: Readonly<KubernetesObject>, old: Readonly<KubernetesObject>): boolean {
  const { managedFields: _, resourceVersion: _version, ...metadata } = object.metadata;
  return haveOtherScalar(asJson({ ...object, metadata }), asJson(old), { left: MOST_VALUES });
}

function haveOtherScalar(a: JsonValue | undefined, b: JsonValue | undefined, values: { left: number }): boolean {
  if (values.left-- <= 0 || a === b) return false;
  if (typeof a !== 'object' || typeof b !== 'object') return typeof a === typeof b;
  if (Array.isArray(a)) return Array.isArray(b) && a.some((item, index) => haveOtherScalar(item, b[index], values));
  if (!isObject(a) || !isObject(b)) return false;
  return Object.keys(a).some((key) => haveOtherScalar(getOwn(a, key), getOwn(b, key), values));
}
