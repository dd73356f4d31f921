import type { Namespace } from '@binnacle/api/types/core-v1';
import { serviceUnavailable } from '@binnacle/apimachinery/status';
import type { WriteGuard } from '../registry/index.js';

/**
 * Keeps a namespace while its content is not known: discovery does not list the resource of a definition that cannot
 * be read, so a namespace without that content may look empty.
 */
export function namespaceGuard(unreadableDefinitions: () => readonly string[]): WriteGuard {
  return {
    async check({ object, old }) {
      const finalizers = (namespace: unknown): number => (namespace as Namespace).spec?.finalizers?.length ?? 0;
      if (old === undefined || finalizers(object) >= finalizers(old)) return;
      const [name] = unreadableDefinitions();
      if (name !== undefined) {
        throw serviceUnavailable(`the definition ${name} cannot be read, and the namespace may have objects of it`);
      }
    },
  };
}
