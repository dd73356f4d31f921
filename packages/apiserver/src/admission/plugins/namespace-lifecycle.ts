import type { Clock } from '@binnacle/apimachinery/clock';
import { LruMap } from '@binnacle/apimachinery/caches';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { forbidden, notFound } from '@binnacle/apimachinery/status';
import type { Awaitable } from '@binnacle/apimachinery/work';
import type { StoredVersion } from '../../storage/index.js';
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.js';
import { refusal } from '../refuse.js';

/** Namespaces that cannot be deleted. */
const PROTECTED_NAMESPACES: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

export interface NamespaceSource {
  /** The namespace, undefined if it does not exist. Over a remote store, its state may be a moment old. */
  namespace(name: string): Awaitable<Readonly<KubernetesObject> | undefined>;
}

export interface CurrentNamespaceSource extends NamespaceSource {
  /** The current state of the namespace. */
  currentNamespace(name: string): Awaitable<Readonly<KubernetesObject> | undefined>;
  /** A namespace, and the version of it that this is. It may be a moment behind, unless it must be the `newest`. */
  namespaceVersion(
    name: string,
    newest: boolean,
  ): Awaitable<{ readonly object: Readonly<KubernetesObject>; readonly version: StoredVersion } | undefined>;
}

/** How long after a request to delete a namespace its current state is read, and for how many namespaces. As upstream. */
const DELETION_MS = 30_000;
const DELETIONS = 100;

/**
 * Refuses creates in a namespace that is missing or terminating, and the deletion of the system namespaces. A refusal is
 * judged on the current namespace. An object is stored only while its namespace is the one that was looked at: otherwise the
 * object of a create that takes long would outlive its namespace. Upstream: apiserver `pkg/admission/plugin/namespace/lifecycle`,
 * which does not look again.
 */
export function namespaceLifecycle(source: CurrentNamespaceSource, clock: Clock): AdmissionPlugin {
  /** When the recent requests to delete a namespace arrived, in milliseconds of monotonic time. */
  const deletions = new LruMap<string, number>(DELETIONS);
  const isBeingDeleted = (name: string): boolean => {
    const at = deletions.get(name);
    return at !== undefined && clock.monotonic() - at < DELETION_MS;
  };
  return {
    name: 'NamespaceLifecycle',
    handles: (operation) => operation !== 'CONNECT',
    async admit(attributes) {
      const { resource, name, namespace, operation, subresource } = attributes;
      if (resource.group === '' && resource.resource === 'namespaces') {
        if (operation === 'DELETE' && subresource === '' && PROTECTED_NAMESPACES.has(name)) {
          throw forbidden(resource, name, 'this namespace may not be deleted');
        }
        if (operation === 'DELETE') deletions.set(name, clock.monotonic());
        return;
      }
      if (namespace === '' || operation !== 'CREATE' || isAlwaysAllowed(attributes)) return;
      const known = isBeingDeleted(namespace) ? undefined : await source.namespace(namespace);
      if (!isActive(known)) checkAccepts(attributes, await source.currentNamespace(namespace));
    },
    async createCondition(attributes, isRetry) {
      const { namespace, resource } = attributes;
      if (namespace === '' || (resource.group === '' && resource.resource === 'namespaces')) return undefined;
      const found = await source.namespaceVersion(namespace, isRetry);
      // A cache may be a moment behind, but the store is not.
      const newest = isRetry || isActive(found?.object) ? found : await source.namespaceVersion(namespace, true);
      checkAccepts(attributes, newest?.object);
      return newest?.version;
    },
  };
}

/** Throws 404 for a missing namespace, and 403 for one that is being deleted. */
function checkAccepts(attributes: AdmissionAttributes, found: Readonly<KubernetesObject> | undefined): void {
  const { namespace } = attributes;
  if (found === undefined) throw notFound({ group: '', resource: 'namespaces' }, namespace);
  if (isActive(found)) return;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  throw refusal(attributes, why, [
    {
      reason: 'NamespaceTerminating',
      message: `namespace ${namespace} is being terminated`,
      field: 'metadata.namespace',
    },
  ]);
}

function isActive(namespace: Readonly<KubernetesObject> | undefined): boolean {
  const status: { phase?: unknown } = namespace?.status ?? {};
  return (
    namespace !== undefined && status.phase !== 'Terminating' && namespace.metadata.deletionTimestamp === undefined
  );
}

/** Access reviews store nothing, so they may name a missing namespace. */
function isAlwaysAllowed({ resource }: AdmissionAttributes): boolean {
  return resource.group === 'authorization.k8s.io' && resource.resource === 'localsubjectaccessreviews';
}
