import { type Item, itemText, kindText, type Owner, ownersOf } from './item.js';
import { reasonToLeaveOut, selectsPodsAmong } from './left-out.js';

export interface Plan {
  /** Each stage needs those before it. The objects of a stage do not need each other. */
  readonly stages: readonly (readonly Item[])[];
  /** How many objects are left out, by the reason. */
  readonly leftOut: ReadonlyMap<string, number>;
}

/** Kinds to which other objects refer when they are created. They come after definitions and namespaces. */
const early = new Set([
  'ClusterRole.rbac.authorization.k8s.io',
  'ConfigMap',
  'IngressClass.networking.k8s.io',
  'Node',
  'PersistentVolume',
  'PriorityClass.scheduling.k8s.io',
  'RuntimeClass.node.k8s.io',
  'Secret',
  'ServiceAccount',
  'StorageClass.storage.k8s.io',
  'VolumeAttributesClass.storage.k8s.io',
]);

/** Kinds that would change or refuse other objects. */
const late = new Set([
  'APIService.apiregistration.k8s.io',
  'LimitRange',
  'MutatingAdmissionPolicy.admissionregistration.k8s.io',
  'MutatingAdmissionPolicyBinding.admissionregistration.k8s.io',
  'MutatingWebhookConfiguration.admissionregistration.k8s.io',
  'ResourceQuota',
  'ValidatingAdmissionPolicy.admissionregistration.k8s.io',
  'ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io',
  'ValidatingWebhookConfiguration.admissionregistration.k8s.io',
]);

export const DEFINITION = 'CustomResourceDefinition.apiextensions.k8s.io';

function rankOf(item: Item): number {
  const kind = kindText(item);
  if (kind === DEFINITION) return 0;
  if (kind === 'Namespace') return 1;
  if (early.has(kind)) return 2;
  return late.has(kind) ? 4 : 3;
}

/** A place in the order: stages are sorted by rank, and then by depth. */
interface Place {
  readonly rank: number;
  readonly depth: number;
}

/** Plans the creation of objects on another server. Of several with one kind and name, the first counts. */
export function planImport(objects: readonly Item[], { withSecrets }: { readonly withSecrets: boolean }): Plan {
  const leftOut = new Map<string, number>();
  const surroundings = { withSecrets, selectsPods: selectsPodsAmong(objects) };
  const kept = new Map<string, Item>();
  for (const item of objects) {
    const key = itemText(item);
    const reason = kept.has(key) ? 'given more than once' : reasonToLeaveOut(item, surroundings);
    if (reason === undefined) kept.set(key, item);
    else leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
  }
  return { stages: stagesOf([...kept.values()]), leftOut };
}

function stagesOf(items: readonly Item[]): (readonly Item[])[] {
  const places = placesOf(items);
  const stages = new Map<string, { readonly place: Place; readonly items: Item[] }>();
  for (const item of items) {
    const place = places.get(item) ?? { rank: 0, depth: 0 };
    const key = `${place.rank}/${place.depth}`;
    const stage = stages.get(key) ?? { place, items: [] };
    stage.items.push(item);
    stages.set(key, stage);
  }
  return [...stages.values()]
    .sort((one, other) => one.place.rank - other.place.rank || one.place.depth - other.place.depth)
    .map((stage) => stage.items);
}

/** An object comes after its owners, even if they have a higher rank. In a circle of owners, any object may be first. */
function placesOf(items: readonly Item[]): ReadonlyMap<Item, Place> {
  const find = ownersAmong(items);
  const places = new Map<Item, Place>();
  const open = new Set<Item>();
  // Chains of owners may be long in a hostile folder, so there is no recursion.
  for (const start of items) {
    const path: Item[] = [start];
    for (let item = path.at(-1); item !== undefined; item = path.at(-1)) {
      open.add(item);
      const owners = find(item);
      const next = owners.find((owner) => !places.has(owner) && !open.has(owner));
      if (next !== undefined) {
        path.push(next);
        continue;
      }
      path.pop();
      open.delete(item);
      if (!places.has(item)) places.set(item, placeAfter(item, owners, places));
    }
  }
  return places;
}

function placeAfter(item: Item, owners: readonly Item[], places: ReadonlyMap<Item, Place>): Place {
  const before = owners.flatMap((owner) => places.get(owner) ?? []);
  const rank = before.reduce((highest, place) => Math.max(highest, place.rank), rankOf(item));
  const depth = before.reduce(
    (deepest, place) => (place.rank === rank ? Math.max(deepest, place.depth + 1) : deepest),
    0,
  );
  return { rank, depth };
}

/** Finds the owners of an item among the items: by UID, or where the items have none, by name. */
function ownersAmong(items: readonly Item[]): (item: Item) => readonly Item[] {
  const byKey = new Map<string, Item>();
  for (const item of items) for (const key of keysOf(item)) byKey.set(key, item);
  return ({ object, namespace }) =>
    ownersOf(object).flatMap((owner) => firstOf(byKey, ownerKeys(owner, namespace)) ?? []);
}

/** The keys by which references can name an item. */
export function keysOf(item: Item): readonly string[] {
  const name = `${kindText(item)} ${item.namespace}/${item.name}`;
  return item.uid === '' ? [name] : [item.uid];
}

/** The keys of an owner, the most exact first. The owner of an object in a namespace may be cluster-scoped. */
export function ownerKeys(owner: Owner, namespace: string): readonly string[] {
  const names = [namespace, ''].map((each) => `${kindText(owner)} ${each}/${owner.name}`);
  return owner.uid === '' ? names : [owner.uid, ...names];
}

export function firstOf<V>(map: ReadonlyMap<string, V>, keys: readonly string[]): V | undefined {
  const key = keys.find((each) => map.has(each));
  return key === undefined ? undefined : map.get(key);
}
