import { getOwn, type JsonObject } from '@binnacle/apimachinery/json';
import {
  copyOf,
  type GroupVersionKind,
  type GroupVersionResource,
  type KubernetesObject,
} from '@binnacle/apimachinery/meta';
import { DecodeError } from '@binnacle/apimachinery/serializer';
import { internalError, unclassified } from '@binnacle/apimachinery/status';
import type { WorkBudget } from '@binnacle/apimachinery/work';
import type { ObjectVersions, VersionedResource } from '../admission/index.js';
import type { KindCodec } from '../codec/index.js';
import { inSlices } from '../slices/index.js';
import type { ResourceEndpoint, View } from './endpoint.js';
import { applyDefaultsInTurns } from './in-turns.js';
import { otherKind } from './body/wrong-kind.js';

/** Where the objects of a write come from, and what reading changed ones may cost. */
export interface ShownObjects {
  readonly endpoint: ResourceEndpoint;
  readonly view: View;
  readonly budget: WorkBudget;
}

/** A resource that shows the objects, and how. */
interface Place extends VersionedResource {
  readonly endpoint: ResourceEndpoint;
  readonly view: View;
}

/** The versions of the objects behind a view. */
export function viewVersions({ endpoint, view, budget }: ShownObjects): ObjectVersions {
  const own: Place = { endpoint, view, resource: endpoint.resource, kind: view.codec.groupVersionKind };
  let places: readonly Place[] | undefined;
  const equivalents = (): readonly Place[] => (places ??= placesOf(endpoint, view.subresource));
  const placeOf = (kind: GroupVersionKind): Place => {
    if (isSameKind(own.kind, kind)) return own;
    const place = equivalents().find((each) => isSameKind(each.kind, kind));
    if (place === undefined) throw internalError(`unable to convert to ${kind.group}/${kind.version}: unknown kind`);
    return place;
  };
  return {
    equivalents,
    encode(object, kind) {
      const place = placeOf(kind);
      const { codec } = place.view;
      if (sharesStorage(place, own)) return codec.encode(place.view.present(object));
      return converted(own, object, codec).then((shown) => codec.encode(shown));
    },
    document(object, kind) {
      const place = placeOf(kind);
      const { codec } = place.view;
      if (sharesStorage(place, own)) return inSlices(codec.documentInSteps(place.view.present(object)));
      return converted(own, object, codec).then((shown) => inSlices(codec.documentInSteps(shown)));
    },
    async decode(document, kind, base) {
      const place = placeOf(kind);
      const sent = await decodeChanged(document, place.view.codec, budget);
      if (!sharesStorage(place, own)) return converted(own, sent, endpoint.main.codec);
      restoreHiddenManagers(place.view, sent, base);
      return place.view.accept(sent, copyOf(base));
    },
  };
}

/** The versions of objects that are not stored, which have only their own. */
export function soleVersion(resource: GroupVersionResource, codec: KindCodec, budget: WorkBudget): ObjectVersions {
  return {
    equivalents: () => [{ resource, kind: codec.groupVersionKind }],
    encode: (object) => codec.encode(object),
    document: (object) => inSlices(codec.documentInSteps(object)),
    decode: (document) => decodeChanged(document, codec, budget),
  };
}

function placesOf(endpoint: ResourceEndpoint, subresource: string): Place[] {
  return endpoint.equivalents().flatMap((each) => {
    const view = subresource === '' ? each.main : each.subresources.get(subresource)?.view;
    if (view === undefined) return [];
    return [{ endpoint: each, view, resource: each.resource, kind: view.codec.groupVersionKind }];
  });
}

/** Whether both show objects of one storage version. Otherwise each has objects in its own version, and a webhook converts between them. */
function sharesStorage(a: Place, b: Place): boolean {
  return a.view === b.view || a.endpoint.versions === b.endpoint.versions;
}

async function converted(
  { endpoint }: Place,
  object: Readonly<KubernetesObject>,
  to: KindCodec,
): Promise<KubernetesObject> {
  try {
    const result = await endpoint.versions.converting((convert) => convert(object, to.apiVersion));
    if (result !== undefined) return result.object;
  } catch (error) {
    throw internalError(error);
  }
  throw internalError(`unable to convert to ${to.apiVersion}`);
}

async function decodeChanged(document: JsonObject, codec: KindCodec, budget: WorkBudget): Promise<KubernetesObject> {
  try {
    refuseOtherKind(document, codec);
    const { object } = await inSlices(codec.decodeInSteps(document));
    await applyDefaultsInTurns(codec, object, budget);
    return object;
  } catch (error) {
    throw error instanceof DecodeError ? internalError(error) : error;
  }
}

function refuseOtherKind(document: JsonObject, codec: KindCodec): void {
  if (codec.untyped === true) return;
  const kind = textOf(document, 'kind') || codec.groupVersionKind.kind;
  const apiVersion = textOf(document, 'apiVersion') || codec.apiVersion;
  const other = otherKind(document, kind, apiVersion, codec);
  if (other !== undefined) throw other.exists ? unclassified(other.reason) : internalError(other.reason);
}

function textOf(document: JsonObject, field: string): string {
  const value = getOwn(document, field);
  return typeof value === 'string' ? value : '';
}

/** A scale does not show managers, so a changed one keeps them. */
function restoreHiddenManagers(view: View, sent: KubernetesObject, base: Readonly<KubernetesObject>): void {
  const { managedFields } = view.before(copyOf(base)).metadata;
  if (managedFields === undefined || view.present(copyOf(base)).metadata.managedFields !== undefined) return;
  sent.metadata.managedFields ??= managedFields;
}

function isSameKind(a: GroupVersionKind, b: GroupVersionKind): boolean {
  return a.kind === b.kind && a.version === b.version && a.group === b.group;
}
