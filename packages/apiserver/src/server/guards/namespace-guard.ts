import type { Namespace } from '@binnacle/api/types/core-v1';
import { asKind, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { serviceUnavailable } from '@binnacle/apimachinery/status';
import type { WriteGuard } from '../../registry/index.js';

/**
 * Keeps a namespace while its content is not known. Discovery does not list the resource of a definition that cannot be
 * read, so a namespace with such content may look empty. Only `finalize` writes the finalizers of a namespace.
 * `unreadableDefinitions` throws until the definitions have been read.
 */
export function namespaceGuard(unreadableDefinitions: () => readonly string[]): WriteGuard {
  return {
    async check({ scope, object, old }) {
      if (scope.subresource !== 'finalize') return;
      if (old === undefined || finalizersOf(object) >= finalizersOf(old)) return;
      const [name] = unreadableDefinitions();
      if (name !== undefined) {
        throw serviceUnavailable(`the definition ${name} cannot be read, and the namespace may have objects of it`);
      }
    },
  };
}

function finalizersOf(namespace: Readonly<KubernetesObject>): number {
  return asKind<Namespace>(namespace).spec?.finalizers?.length ?? 0;
}
