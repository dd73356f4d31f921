import { resources } from '@binnacle/api/table';
import type { GroupResource } from '@binnacle/apimachinery/meta';
import { StatusError } from '@binnacle/apimachinery/status';
import { serverScope } from '../bootstrap/index.js';
import type { ResourceEndpoint } from '../endpoints/index.js';

/** The number of objects to read and delete at once. */
const PAGE = 500;
const DELETES_AT_ONCE = 32;

/**
 * Whether built-in objects have the keys that a custom resource of this name would have. These objects are not those of the
 * definition. Upstream: `OverlappingBuiltInResources`.
 */
export function overlapsBuiltIn({ group, resource }: GroupResource): boolean {
  return resources().some(({ etcdPrefix }) => etcdPrefix === `${group}/${resource}`);
}

/** Deletes all objects of a resource; returns how many are held by finalizers. */
export async function deleteInstances(endpoint: ResourceEndpoint): Promise<number> {
  let held = 0;
  let continueToken = '';
  do {
    const page = await endpoint.store.reader.list({ namespace: '', limit: PAGE, continueToken });
    continueToken = page.continueToken;
    const queue = page.items.values();
    const work = async (): Promise<void> => {
      for (const { key } of queue) if (!(await deleteInstance(endpoint, key))) held++;
    };
    await Promise.all(Array.from({ length: DELETES_AT_ONCE }, work));
  } while (continueToken !== '');
  return held;
}

/** Whether the object is gone. */
async function deleteInstance(endpoint: ResourceEndpoint, key: string): Promise<boolean> {
  const [name = '', namespace = ''] = key.split('/').reverse();
  try {
    const scope = serverScope(endpoint.namespaced ? namespace : '');
    return (await endpoint.store.delete(scope, name, {})).gone;
  } catch (error) {
    if (error instanceof StatusError && error.code === 404) return true;
    throw error;
  }
}
