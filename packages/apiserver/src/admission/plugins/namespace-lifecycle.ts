import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { forbidden, notFound } from '@binnacle/apimachinery/status';
import type { Awaitable } from '@binnacle/apimachinery/work';
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.js';
import { refusal } from '../refuse.js';

/** Namespaces that cannot be deleted. */
const PROTECTED_NAMESPACES: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

export interface NamespaceSource {
  /** The current namespace, undefined if it does not exist. */
  namespace(name: string): Awaitable<Readonly<KubernetesObject> | undefined>;
}

/**
 * Refuses creates in a namespace that is missing or terminating, and the deletion of the system namespaces.
 * Upstream: apiserver `pkg/admission/plugin/namespace/lifecycle`.
 */
export function namespaceLifecycle(source: NamespaceSource): AdmissionPlugin {
  return {
    name: 'NamespaceLifecycle',
    handles: (operation) => operation !== 'CONNECT',
    async admit(attributes) {
      const { resource, name, namespace, operation, subresource } = attributes;
      if (resource.group === '' && resource.resource === 'namespaces') {
        if (operation === 'DELETE' && subresource === '' && PROTECTED_NAMESPACES.has(name)) {
          throw forbidden(resource, name, 'this namespace may not be deleted');
        }
        return;
      }
      if (namespace === '' || operation !== 'CREATE' || isAlwaysAllowed(attributes)) return;
      const found = await source.namespace(namespace);
      if (found === undefined) throw notFound({ group: '', resource: 'namespaces' }, namespace);
      const status: { phase?: unknown } = found.status ?? {};
      if (status.phase !== 'Terminating' && found.metadata.deletionTimestamp === undefined) return;
      throw refusal(
        attributes,
        `unable to create new content in namespace ${namespace} because it is being terminated`,
        [
          {
            reason: 'NamespaceTerminating',
            message: `namespace ${namespace} is being terminated`,
            field: 'metadata.namespace',
          },
        ],
      );
    },
  };
}

/** Access reviews store nothing, so they may name a missing namespace. */
function isAlwaysAllowed({ resource }: AdmissionAttributes): boolean {
  return resource.group === 'authorization.k8s.io' && resource.resource === 'localsubjectaccessreviews';
}
