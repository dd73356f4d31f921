import { parseGroupVersion } from '@binnacle/apimachinery/meta';
import { type IndexFunction, objectKey } from '../cache/index.js';
import type { SelectOptions } from '../rest/index.js';
import type { OwnerReference, ResourceType, TypedObject } from '../typed/index.js';
import type { ControllerOptions, OwnedKind, ReadKind } from './controller-options.js';
import type { ObjectChange } from './object-change.js';
import { controllerOf } from './objects/owner-references.js';
import type { Predicate } from './predicates.js';
import { type ReconcileRequest, requestOfKey } from './reconcile-request.js';

/** One kind that a controller watches or reads. */
export interface Source {
  readonly resource: ResourceType;
  /** Default: all objects. */
  readonly select?: SelectOptions | undefined;
  readonly indexes: { readonly [name: string]: IndexFunction<TypedObject> } | undefined;
  /** Milliseconds that the requests wait. Default: 0. */
  readonly delay?: number | undefined;
  /** The requests that follow from a change; undefined for kinds that are only read. */
  readonly requests: ((change: ObjectChange<TypedObject>) => Iterable<ReconcileRequest>) | undefined;
}

type AnyOptions = ControllerOptions<
  TypedObject,
  readonly TypedObject[],
  readonly TypedObject[],
  readonly TypedObject[]
>;

/** Throws a TypeError for `owns` without `for`, and for a controller that watches nothing. */
export function sourcesOf(options: AnyOptions): Source[] {
  const { for: primary, predicate, owns = [], watches = [], reads = [] } = options;
  if (primary === undefined && owns.length > 0) throw new TypeError('a controller that owns objects needs "for"');
  if (primary === undefined && watches.length === 0) throw new TypeError('a controller needs "for" or "watches"');
  const sources: Source[] = watches.map(({ resource, map, predicate, select, delay }) => ({
    ...source(resource, map, predicate),
    select,
    delay,
  }));
  if (primary !== undefined) {
    sources.unshift(source(primary, (object) => [requestFor(object)], predicate));
    for (const owned of owns.map(asOwned)) {
      sources.push(source(owned.resource, (object) => ownerRequests(primary, object), owned.predicate));
    }
  }
  for (const { resource, indexes } of reads.map(asRead)) sources.push({ resource, indexes, requests: undefined });
  return sources;
}

function requestFor({ metadata }: TypedObject): ReconcileRequest {
  return requestOfKey(objectKey({ metadata }));
}

/** The owner that controls the object, if it is of the given kind in any version. */
function ownerRequests(owner: ResourceType, object: TypedObject): ReconcileRequest[] {
  const reference = controllerOf(object);
  if (reference === undefined || !isOfKind(reference, owner)) return [];
  return [{ namespace: owner.namespaced ? object.metadata.namespace : undefined, name: reference.name }];
}

function isOfKind(reference: OwnerReference, { group, kind }: ResourceType): boolean {
  return reference.kind === kind && parseGroupVersion(reference.apiVersion)?.group === group;
}

function source(
  resource: ResourceType,
  map: (object: TypedObject) => Iterable<ReconcileRequest>,
  predicate: Predicate = () => true,
): Source {
  const requests = (change: ObjectChange<TypedObject>) => {
    if (!predicate(change)) return [];
    const { object } = change;
    return change.type === 'update' ? [...map(change.before), ...map(object)] : map(object);
  };
  return { resource, indexes: undefined, requests };
}

function asOwned(owned: ResourceType | OwnedKind): OwnedKind {
  return 'resource' in owned ? owned : { resource: owned };
}

function asRead(read: ResourceType | ReadKind): ReadKind {
  return 'resource' in read ? read : { resource: read };
}
