import type { IndexFunction } from '../cache/index.js';
import type { SelectOptions } from '../rest/index.js';
import type { ResourceType, TypedObject } from '../typed/index.js';
import type { ControllerOptions, OwnedKind, ReadKind } from './controller-options.js';
import type { ObjectChange } from './object-change.js';
import { ownerRequests } from './owner-requests.js';
import type { Predicate } from './predicates.js';
import { type ReconcileRequest, requestFor } from './request.js';

/** One kind that a controller hears of or reads. */
export interface Source {
  readonly resource: ResourceType;
  /** Absent: all objects. */
  readonly select?: SelectOptions | undefined;
  readonly indexes: { readonly [name: string]: IndexFunction<TypedObject> } | undefined;
  /** What a change asks for; undefined for kinds that are read alone. */
  readonly requests: ((change: ObjectChange<TypedObject>) => Iterable<ReconcileRequest>) | undefined;
}

type AnyOptions = ControllerOptions<
  TypedObject,
  readonly TypedObject[],
  readonly TypedObject[],
  readonly TypedObject[]
>;

/** Throws a TypeError for owned kinds without an owner, and for a controller that nothing would ever wake. */
export function sourcesOf(options: AnyOptions): Source[] {
  const { for: primary, predicate, owns = [], watches = [], reads = [] } = options;
  if (primary === undefined && owns.length > 0) throw new TypeError('a controller that owns objects needs "for"');
  if (primary === undefined && watches.length === 0) throw new TypeError('a controller needs "for" or "watches"');
  const sources: Source[] = watches.map(({ resource, map, predicate, select }) => ({
    ...source(resource, map, predicate),
    select,
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
