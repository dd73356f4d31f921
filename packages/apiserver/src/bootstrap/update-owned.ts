import { deepEqual } from '@binnacle/apimachinery/json';
import { trackUpdateInSteps } from '@binnacle/apimachinery/managedfields';
import { asJson, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { notFound } from '@binnacle/apimachinery/status';
import { formatTime } from '@binnacle/apimachinery/time';
import type { ResourceEndpoint, View } from '../endpoints/index.js';
import { inSlices } from '../slices/index.js';
import { SERVER_MANAGER } from './bootstrap.js';
import { writeOwned } from './write-owned.js';

export interface OwnUpdate {
  /** Default: none. */
  readonly namespace?: string;
  readonly name: string;
  /** Another object of that name is not changed. */
  readonly uid: string;
  /** `status`; `''`: the object itself. */
  readonly subresource: string;
  /** The manager of the changed fields. Default: the server. */
  readonly manager?: string;
  /** The top-level fields that the change touches. The others are shared with the cache. */
  readonly parts: readonly string[];
}

/**
 * Updates an object as the server itself: `change` edits it in place. Writes nothing when nothing changes, or when the
 * object was deleted or re-created.
 */
export async function updateOwned(
  endpoint: ResourceEndpoint,
  { namespace = '', name, uid, subresource, parts, manager = SERVER_MANAGER }: OwnUpdate,
  change: (object: KubernetesObject) => void | Promise<void>,
): Promise<void> {
  await writeOwned(endpoint, { namespace, name, subresource }, async (current, view) => {
    if (current.metadata.uid !== uid) throw notFound(endpoint.resource, name);
    return changed({ endpoint, view, parts, manager }, current, change);
  });
}

interface Change extends Required<Pick<OwnUpdate, 'parts' | 'manager'>> {
  readonly endpoint: ResourceEndpoint;
  readonly view: View;
}

async function changed(
  { endpoint, view, parts, manager }: Change,
  current: KubernetesObject,
  change: (object: KubernetesObject) => void | Promise<void>,
): Promise<KubernetesObject> {
  const live = view.before(current);
  const own = Object.fromEntries(['metadata', ...parts].flatMap((part) => (part in live ? [[part, live[part]]] : [])));
  const object: KubernetesObject = { ...live, ...structuredClone(own) };
  await change(object);
  if (deepEqual(asJson(object), asJson(live))) return current;
  const tracking = trackUpdateInSteps({
    live,
    updated: object,
    schema: view.codec.schema,
    apiVersion: view.codec.apiVersion,
    manager,
    subresource: view.subresource,
    now: formatTime(endpoint.clock.now()),
    resetFields: view.resetFields,
  });
  const entries = await inSlices(tracking);
  if (entries !== undefined) object.metadata.managedFields = entries;
  return view.accept(object, current);
}
