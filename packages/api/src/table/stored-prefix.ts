import type { GroupResource } from '@binnacle/apimachinery/meta';
import { resources } from './resources.js';
import { once } from './rows.js';

/** The first part of all keys. Upstream: the default of `--etcd-prefix`. */
export const STORAGE_PREFIX = '/registry/';

const byResource = once(
  () =>
    new Map<string, string>(
      resources().flatMap(({ group, resource, etcdPrefix }) =>
        etcdPrefix === undefined ? [] : [[`${group}/${resource}`, etcdPrefix] as const],
      ),
    ),
);

/** The prefix of the keys of a resource's objects, with a slash at its end. A resource that is not in the table is a custom one. */
export function storedPrefix({ group, resource }: GroupResource, storagePrefix = STORAGE_PREFIX): string {
  const path = `${group}/${resource}`;
  return `${storagePrefix}${byResource().get(path) ?? path}/`;
}
