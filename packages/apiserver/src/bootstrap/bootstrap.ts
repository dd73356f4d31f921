import { convert } from '@binnacle/api/conversion';
import { asJson, type KubernetesObject, type ManagedFieldsEntry, parseGroupVersion } from '@binnacle/apimachinery/meta';
import { trackUpdate } from '@binnacle/apimachinery/managedfields';
import { StatusError } from '@binnacle/apimachinery/status';
import { formatTime } from '@binnacle/apimachinery/time';
import type { ResourceEndpoint, View } from '../endpoints/index.js';
import { noAdmission, type WriteScope } from '../registry/index.js';
import type { StoredObject } from '../storage/index.js';

/** The name under which the server's own writes are recorded. */
export const SERVER_MANAGER = 'kube-apiserver';

/** How often, and how far apart, a create is tried that another server may be doing at the same time. */
const ATTEMPTS = 5;
const PAUSE_MS = 200;

/** Finds where objects of a kind are stored, in its own version or another; undefined when the kind is not served. */
export type EndpointOfKind = (kind: { group: string; version: string; kind: string }) => ResourceEndpoint | undefined;

/**
 * Creates what is not there yet. Objects that exist are left as they are. All writes run together, so that the store
 * can put them on disk at once. Objects of kinds that are not served are passed over.
 */
export async function ensureObjects(objects: readonly KubernetesObject[], endpointOf: EndpointOfKind): Promise<void> {
  await Promise.all(objects.map((object) => ensureObject(object, endpointOf)));
}

async function ensureObject(object: KubernetesObject, endpointOf: EndpointOfKind): Promise<void> {
  const groupVersion = parseGroupVersion(object.apiVersion);
  const endpoint = groupVersion === undefined ? undefined : endpointOf({ ...groupVersion, kind: object.kind });
  if (endpoint === undefined) return;
  const { name = '', namespace = '' } = object.metadata;
  for (let attempt = 1; ; attempt++) {
    if ((await endpoint.store.reader.find(namespace, name, attempt === 1 ? '0' : '')) !== undefined) return;
    try {
      await createOwned(attempt < ATTEMPTS ? structuredClone(object) : object, endpoint);
      return;
    } catch (error) {
      if (error instanceof StatusError && error.reason === 'AlreadyExists') return;
      // Another server on the same store may be half-way: it has claimed the address and not yet written the service.
      if (attempt === ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

/** As much of an endpoint as the server needs for writes of its own. */
export interface OwnResource extends Pick<ResourceEndpoint, 'store' | 'now'> {
  readonly main: Pick<View, 'codec' | 'resetFields' | 'accept'>;
}

/**
 * Creates an object as the server's own, with defaults; rejects with AlreadyExists when there is one. The endpoint may be
 * of another version of the kind, for when the object's own is turned off.
 */
export function createOwned(given: KubernetesObject, endpoint: OwnResource): Promise<StoredObject> {
  const object = inVersionOf(endpoint.main.codec, given);
  endpoint.main.codec.applyDefaults(object);
  const managed = ownedByServer(object, endpoint);
  if (managed !== undefined) object.metadata.managedFields = managed;
  const scope = serverScope(object.metadata.namespace ?? '');
  return endpoint.store.create(scope, endpoint.main.accept(object, undefined), noAdmission);
}

function inVersionOf(codec: OwnResource['main']['codec'], object: KubernetesObject): KubernetesObject {
  if (object.apiVersion === codec.apiVersion) return object;
  const from = parseGroupVersion(object.apiVersion);
  if (from === undefined) throw new Error(`${object.apiVersion} is no group and version`);
  return convert(asJson(object), { ...from, kind: object.kind }, codec.groupVersionKind) as unknown as KubernetesObject;
}

function ownedByServer(object: KubernetesObject, endpoint: OwnResource): ManagedFieldsEntry[] | undefined {
  const { codec } = endpoint.main;
  return trackUpdate({
    live: undefined,
    updated: object,
    schema: codec.schema,
    apiVersion: codec.apiVersion,
    manager: SERVER_MANAGER,
    subresource: '',
    now: formatTime(endpoint.now()),
    resetFields: endpoint.main.resetFields,
  });
}

/** In whose name the server writes for itself. */
export function serverScope(namespace: string): WriteScope {
  return { namespace, userName: 'system:apiserver', dryRun: false, warn: () => undefined };
}
