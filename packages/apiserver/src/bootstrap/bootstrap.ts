import { convert } from '@binnacle/api/conversion';
import { sleep } from '@binnacle/apimachinery/clock';
import {
  asJson,
  asObject,
  type KubernetesObject,
  type ManagedFieldsEntry,
  parseGroupVersion,
} from '@binnacle/apimachinery/meta';
import { trackUpdate } from '@binnacle/apimachinery/managedfields';
import { StatusError } from '@binnacle/apimachinery/status';
import { formatTime } from '@binnacle/apimachinery/time';
import type { ResourceEndpoint, View } from '../endpoints/index.js';
import { noAdmission, type WriteScope } from '../registry/index.js';
import { ANY, NEWEST } from '../request/index.js';
import type { StoredObject } from '../storage/index.js';

/** The field manager of the server's own writes. */
export const SERVER_MANAGER = 'kube-apiserver';

/** The number of attempts and the pause between them, for a create that another server may be performing too. */
const ATTEMPTS = 5;
const PAUSE_MS = 200;

/** Finds the resource that stores a kind, in this version or another. Undefined when the kind is not served. */
export type EndpointOfKind = (kind: { group: string; version: string; kind: string }) => ResourceEndpoint | undefined;

/**
 * Creates missing objects and leaves existing ones unchanged. All writes run concurrently, so that the store can commit
 * them together. Kinds that are not served are skipped.
 */
export async function ensureObjects(
  objects: readonly KubernetesObject[],
  endpointOf: EndpointOfKind,
  manager = SERVER_MANAGER,
): Promise<void> {
  await Promise.all(objects.map((object) => ensureObject(object, endpointOf, manager)));
}

async function ensureObject(object: KubernetesObject, endpointOf: EndpointOfKind, manager: string): Promise<void> {
  const groupVersion = parseGroupVersion(object.apiVersion);
  const endpoint = groupVersion === undefined ? undefined : endpointOf({ ...groupVersion, kind: object.kind });
  if (endpoint === undefined) return;
  const { name = '', namespace = '' } = object.metadata;
  for (let attempt = 1; ; attempt++) {
    if ((await endpoint.store.reader.find(namespace, name, attempt === 1 ? ANY : NEWEST)) !== undefined) return;
    try {
      await createOwned(attempt < ATTEMPTS ? structuredClone(object) : object, endpoint, manager);
      return;
    } catch (error) {
      if (error instanceof StatusError && error.reason === 'AlreadyExists') return;
      // Another server on the same store may have claimed the address but not stored the service yet.
      if (attempt === ATTEMPTS) throw error;
      await sleep(endpoint.clock, PAUSE_MS);
    }
  }
}

/** The part of an endpoint that the server needs for its own writes. */
export interface OwnResource extends Pick<ResourceEndpoint, 'store' | 'clock'> {
  readonly main: Pick<View, 'codec' | 'resetFields' | 'accept'>;
}

/**
 * Creates an object as the server, with defaults. Rejects with AlreadyExists when it exists. The endpoint may be of
 * another version of the kind, for when the object's own version is disabled.
 */
export function createOwned(
  given: KubernetesObject,
  endpoint: OwnResource,
  manager = SERVER_MANAGER,
): Promise<StoredObject> {
  const object = inVersionOf(endpoint.main.codec, given);
  endpoint.main.codec.applyDefaults(object);
  const managed = ownedBy(manager, object, endpoint);
  if (managed !== undefined) object.metadata.managedFields = managed;
  const scope = serverScope(object.metadata.namespace ?? '');
  return endpoint.store.create(scope, endpoint.main.accept(object, undefined));
}

function inVersionOf(codec: OwnResource['main']['codec'], object: KubernetesObject): KubernetesObject {
  if (object.apiVersion === codec.apiVersion) return object;
  const from = parseGroupVersion(object.apiVersion);
  if (from === undefined) throw new Error(`${object.apiVersion} is not a group and version`);
  return asObject(convert(asJson(object), { ...from, kind: object.kind }, codec.groupVersionKind));
}

function ownedBy(manager: string, object: KubernetesObject, endpoint: OwnResource): ManagedFieldsEntry[] | undefined {
  const { codec } = endpoint.main;
  return trackUpdate({
    live: undefined,
    updated: object,
    schema: codec.schema,
    apiVersion: codec.apiVersion,
    manager,
    subresource: '',
    now: formatTime(endpoint.clock.now()),
    resetFields: endpoint.main.resetFields,
  });
}

/** The user of the server's own writes. */
export function serverScope(namespace: string): WriteScope {
  return { namespace, userName: 'system:apiserver', dryRun: false, admission: noAdmission, warn: () => undefined };
}
