import type { CustomResourceDefinition } from '@binnacle/api/types/apiextensions-v1';
import { trackUpdateInSteps } from '@binnacle/apimachinery/managedfields';
import { asJson, asKind, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { deepEqual } from '@binnacle/apimachinery/json';
import { notFound, StatusError } from '@binnacle/apimachinery/status';
import { formatTime } from '@binnacle/apimachinery/time';
import { SERVER_MANAGER, serverScope } from '../bootstrap/index.js';
import type { ResourceEndpoint, View } from '../endpoints/index.js';
import { inSlices } from '../slices/index.js';

/** Changes a definition's status and metadata in place, such as its finalizers, but not its spec. */
export type StatusChange = (definition: CustomResourceDefinition) => void | Promise<void>;

/**
 * Writes a definition's status as the server itself. Writes nothing when nothing changes, or when the definition was
 * deleted or re-created.
 */
export async function writeStatus(
  endpoint: ResourceEndpoint,
  name: string,
  uid: string,
  change: StatusChange,
): Promise<void> {
  const view = endpoint.subresources.get('status')?.view;
  if (view === undefined) throw new Error('definitions have no status');
  try {
    await endpoint.store.update(serverScope(''), {
      name,
      ...(view.strategy === undefined ? {} : { strategy: view.strategy }),
      transform: (current) => {
        if (current === undefined || current.metadata.uid !== uid) throw notFound(endpoint.resource, name);
        return changed(endpoint, view, current, change);
      },
    });
  } catch (error) {
    if (!(error instanceof StatusError) || error.code !== 404) throw error;
  }
}

async function changed(
  endpoint: ResourceEndpoint,
  view: View,
  current: KubernetesObject,
  change: StatusChange,
): Promise<KubernetesObject> {
  const live = view.before(current);
  // The schemas are shared, because they are large and equal ones are compared by identity.
  const { metadata, status } = structuredClone({ metadata: live.metadata, status: live['status'] });
  const object: KubernetesObject = { ...live, metadata, ...(status === undefined ? {} : { status }) };
  await change(asKind<CustomResourceDefinition>(object));
  if (deepEqual(asJson(object), asJson(live))) return current;
  const tracking = trackUpdateInSteps({
    live,
    updated: object,
    schema: view.codec.schema,
    apiVersion: view.codec.apiVersion,
    manager: SERVER_MANAGER,
    subresource: view.subresource,
    now: formatTime(endpoint.clock.now()),
    resetFields: view.resetFields,
  });
  const entries = await inSlices(tracking);
  if (entries !== undefined) object.metadata.managedFields = entries;
  return view.accept(object, current);
}
