import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { forbidden, notFound } from '@binnacle/apimachinery/status';
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.js';
import { refusal } from '../refuse.js';

/** Namespaces that a server cannot do without. */
const IMMORTAL: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

export interface NamespaceSource {
  /** The namespace as of now, undefined if there is none. */
  namespace(name: string): Promise<Readonly<KubernetesObject> | undefined>;
}

/**
 * Nothing is created in a namespace that is not there or is going away, and the system's own namespaces stay.
 * Upstream: apiserver `pkg/admission/plugin/namespace/lifecycle`.
 */
export function namespaceLifecycle(source: NamespaceSource): AdmissionPlugin {
  return {
    name: 'NamespaceLifecycle',
    handles: (operation) => operation !== 'CONNECT',
    async admit(attributes) {
      const { resource, name, namespace, operation, subresource } = attributes;
      if (resource.group === '' && resource.resource === 'namespaces') {
        if (operation === 'DELETE' && subresource === '' && IMMORTAL.has(name)) {
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

/** Reviews change nothing, so that one may ask about a namespace that is not there. */
function isAlwaysAllowed({ resource }: AdmissionAttributes): boolean {
  return resource.group === 'authorization.k8s.io' && resource.resource === 'localsubjectaccessreviews';
}
