import type { Stores } from '../../registry/index.js';
import { ANY } from '../../request/index.js';
import type { TokenSubjects } from '../../serviceaccounts/index.js';

/** The accounts and objects that tokens name. */
export function tokenSubjects(stores: Stores): TokenSubjects {
  return {
    async find(resource, namespace, name, uid) {
      const objects = stores.reader({ group: '', resource });
      // The cache may be behind, so the store is asked for what the cache lacks.
      const known = await objects.find(namespace, name, ANY);
      return known?.metadata.uid === uid ? known : objects.find(namespace, name);
    },
  };
}
