import { isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { parseGroupVersion } from '@binnacle/apimachinery/meta';
import { nameIsPathSegment } from '@binnacle/apimachinery/validation';

/** An object, and what a plan asks of it. */
export interface Item {
  readonly object: JsonObject;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Empty if the object is in none, or does not say. */
  readonly namespace: string;
  readonly name: string;
  /** Empty in manifests that people write. */
  readonly uid: string;
}

/** A reference to an owner, which is in the same namespace or in none. */
export interface Owner {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

/** Characters that are refused besides those that no name of an object may have. */
const MISLEADING = /[\\\p{Cc}]/u;

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

/** Throws an Error for a value that is not an object with kind and name, or whose name, namespace or group is not a single part of a path. */
export function itemOf(object: JsonObject): Item {
  const [apiVersion, kind] = [textOf(object['apiVersion']), textOf(object['kind'])];
  const metadata = metadataOf(object);
  const [name, namespace] = [textOf(metadata['name']), textOf(metadata['namespace'])];
  if (apiVersion === '' || kind === '') throw new Error('an object has no apiVersion or no kind');
  if (name === '') throw new Error(`an object of kind ${kind} has no metadata.name`);
  const { group, version } = parseGroupVersion(apiVersion) ?? { group: '', version: '' };
  const misleading = [name, namespace, group].find((each) => !isPathSegment(each));
  if (misleading !== undefined) throw new Error(`${JSON.stringify(misleading)} cannot be the name of an object`);
  if (version === '') throw new Error(`${JSON.stringify(apiVersion)} is not an apiVersion`);
  return { object, group, version, kind, namespace, name, uid: textOf(metadata['uid']) };
}

/** Whether a name that others have chosen is a single part of a path of files or keys. */
export const isPathSegment = (name: string): boolean =>
  nameIsPathSegment(name, false).length === 0 && !MISLEADING.test(name);

export function metadataOf(object: JsonObject): JsonObject {
  return isObject(object['metadata']) ? object['metadata'] : {};
}

export function fieldsOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** A label or an annotation. */
export function labelOf({ object }: Item, field: 'labels' | 'annotations', name: string): string | undefined {
  const value = fieldsOf(metadataOf(object)[field])[name];
  return typeof value === 'string' ? value : undefined;
}

export function ownersOf(object: JsonObject): readonly Owner[] {
  const references = metadataOf(object)['ownerReferences'];
  return Array.isArray(references) ? references.filter(isObject).map(ownerOf) : [];
}

export function ownerOf(reference: JsonObject): Owner {
  const { group = '' } = parseGroupVersion(textOf(reference['apiVersion'])) ?? {};
  return { group, kind: textOf(reference['kind']), name: textOf(reference['name']), uid: textOf(reference['uid']) };
}

/** `deployments.apps`-like, by kind: `Deployment.apps`. */
export const kindText = ({ group, kind }: Pick<Item, 'group' | 'kind'>): string =>
  group === '' ? kind : `${kind}.${group}`;

/** For people: `Deployment.apps shop/web`. */
export const itemText = (item: Item): string =>
  `${kindText(item)} ${item.namespace === '' ? '' : `${item.namespace}/`}${item.name}`;
