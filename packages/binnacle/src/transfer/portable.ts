import { isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { fieldsOf, type Item, kindText, metadataOf, type Owner, ownerOf } from './item.js';

/** Finds the UID that an owner has on the new server; undefined if it is not there. */
export type NewUID = (owner: Owner) => string | undefined;

export interface Portable {
  readonly object: JsonObject;
  /** To write when the object exists, where the server has a status subresource. */
  readonly status: JsonValue | undefined;
  /** Owners that are not on the new server. */
  readonly ownersLost: number;
}

/** The labels by which a Job finds its pods: the UID of the Job. */
const JOB_LABELS = ['controller-uid', 'batch.kubernetes.io/controller-uid'];

/** The object as another server can create it. `oldUIDs`: the new UIDs, by those of the other server. */
export function portable(item: Item, newUID: NewUID, oldUIDs: ReadonlyMap<string, string>): Portable {
  const { status, ...rest } = item.object;
  const { metadata, ownersLost } = portableMetadata(metadataOf(item.object), newUID);
  const adapt = adaptations[kindText(item)];
  const plain = { ...rest, metadata };
  return { object: adapt === undefined ? plain : adapt(plain, oldUIDs), status, ownersLost };
}

function portableMetadata(metadata: JsonObject, newUID: NewUID) {
  const {
    uid: _uid,
    resourceVersion: _resourceVersion,
    generation: _generation,
    creationTimestamp: _creationTimestamp,
    managedFields: _managedFields,
    selfLink: _selfLink,
    ownerReferences,
    ...kept
  } = metadata;
  if (!Array.isArray(ownerReferences)) return { metadata: kept, ownersLost: 0 };
  const present = ownerReferences.filter(isObject).flatMap((reference) => {
    const uid = newUID(ownerOf(reference));
    return uid === undefined ? [] : [{ ...reference, uid }];
  });
  const owned = present.length === 0 ? kept : { ...kept, ownerReferences: present };
  return { metadata: owned, ownersLost: ownerReferences.length - present.length };
}

type Adapt = (object: JsonObject, oldUIDs: ReadonlyMap<string, string>) => JsonObject;

/** Fields that hold facts of the other server, by kind. */
const adaptations: Readonly<Record<string, Adapt>> = {
  // The range of addresses may be another one. A headless Service stays headless.
  Service: (object) => {
    const spec = fieldsOf(object['spec']);
    if (spec['clusterIP'] === 'None') return object;
    const { clusterIP: _clusterIP, clusterIPs: _clusterIPs, ...rest } = spec;
    return { ...object, spec: rest };
  },
  // The claim gets another UID, and is found by its name.
  PersistentVolume: (object) => {
    const spec = fieldsOf(object['spec']);
    if (!isObject(spec['claimRef'])) return object;
    const { uid: _uid, resourceVersion: _resourceVersion, ...claimRef } = spec['claimRef'];
    return { ...object, spec: { ...spec, claimRef } };
  },
  // The server selects pods by the new UID of the Job, unless the user has chosen the selector.
  'Job.batch': (object) => {
    const spec = fieldsOf(object['spec']);
    if (spec['manualSelector'] === true) return object;
    const { selector: _selector, ...rest } = spec;
    const template = fieldsOf(spec['template']);
    const metadata = relabelled(fieldsOf(template['metadata']), () => undefined);
    return {
      ...object,
      metadata: relabelled(fieldsOf(object['metadata']), () => undefined),
      spec: { ...rest, template: { ...template, metadata } },
    };
  },
  Pod: (object, oldUIDs) => ({
    ...object,
    metadata: relabelled(fieldsOf(object['metadata']), (uid) => oldUIDs.get(uid) ?? uid),
  }),
};

/** Changes the labels of Jobs; undefined removes them. */
function relabelled(metadata: JsonObject, change: (uid: string) => string | undefined): JsonObject {
  const { labels } = metadata;
  if (!isObject(labels)) return metadata;
  const entries = Object.entries(labels).flatMap(([name, value]) => {
    if (!JOB_LABELS.includes(name) || typeof value !== 'string') return [[name, value] as const];
    const changed = change(value);
    return changed === undefined ? [] : [[name, changed] as const];
  });
  return { ...metadata, labels: Object.fromEntries(entries) };
}
