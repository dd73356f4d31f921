import type { Container, Pod, Service } from '@binnacle/api/types/core-v1';
import { asKind } from '@binnacle/apimachinery/meta';
import { notFound } from '@binnacle/apimachinery/status';
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.js';
import { refusal } from '../refuse.js';
import type { NamespaceSource } from './namespace-lifecycle.js';

/** Small plugins that are off by default. Upstream: `plugin/pkg/admission`. */

/** Admits everything; it exists for compatibility. */
export const alwaysAdmit: AdmissionPlugin = { name: 'AlwaysAdmit', handles: () => false };

/** Refuses everything, for tests. */
export const alwaysDeny: AdmissionPlugin = {
  name: 'AlwaysDeny',
  handles: () => true,
  admit(attributes) {
    throw refusal(attributes, 'admission control is denying all modifications');
  },
};

/**
 * Sets the pull policy Always, so that only pods with pull rights can use an image that is cached on a node. Existing
 * containers cannot change their pull policy.
 */
export const alwaysPullImages: AdmissionPlugin = {
  name: 'AlwaysPullImages',
  resources: ['pods'],
  handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
  admit({ kind, operation, subresource, object }) {
    if (kind.kind !== 'Pod' || kind.group !== '') return;
    const spec = asKind<Pod>(object)?.spec;
    if (operation === 'UPDATE') {
      if (subresource === 'ephemeralcontainers') pullAlways(spec?.ephemeralContainers);
    } else if (subresource === '') {
      pullAlways(spec?.initContainers);
      pullAlways(spec?.containers);
      for (const { image } of spec?.volumes ?? []) if (image !== undefined) image.pullPolicy = 'Always';
    }
  },
};

function pullAlways(containers: readonly Container[] | undefined): void {
  for (const container of containers ?? []) container.imagePullPolicy = 'Always';
}

/** Refuses external IPs on services, except those that a service already has. */
export const denyServiceExternalIPs: AdmissionPlugin = {
  name: 'DenyServiceExternalIPs',
  resources: ['services'],
  handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
  validate(attributes) {
    const { resource, subresource, object, oldObject } = attributes;
    if (resource.group !== '' || resource.resource !== 'services' || subresource !== '') return;
    const before = new Set(asKind<Service>(oldObject)?.spec?.externalIPs ?? []);
    const added = (asKind<Service>(object)?.spec?.externalIPs ?? []).some((ip) => !before.has(ip));
    if (added) throw refusal(attributes, 'Use of external IPs is denied by admission control');
  },
};

/** Refuses creates in a missing namespace. */
export function namespaceExists(source: NamespaceSource): AdmissionPlugin {
  return {
    name: 'NamespaceExists',
    handles: (operation) => operation !== 'CONNECT',
    validate(attributes) {
      if (!isInNamespace(attributes)) return;
      return requireNamespace(attributes.namespace);
    },
  };

  async function requireNamespace(name: string): Promise<void> {
    if ((await source.namespace(name)) === undefined) throw notFound({ group: '', resource: 'namespaces' }, name);
  }
}

export interface NamespaceCreator extends NamespaceSource {
  /** Also resolves when another client has created the namespace in the meantime. */
  createNamespace(name: string): Promise<void>;
}

/** Creates a missing namespace when an object is created in it. */
export function namespaceAutoProvision(source: NamespaceCreator): AdmissionPlugin {
  return {
    name: 'NamespaceAutoProvision',
    handles: (operation) => operation === 'CREATE',
    admit(attributes) {
      if (attributes.dryRun || !isInNamespace(attributes)) return;
      return provide(attributes.namespace);
    },
  };

  async function provide(name: string): Promise<void> {
    if ((await source.namespace(name)) === undefined) await source.createNamespace(name);
  }
}

function isInNamespace({ namespace, resource }: AdmissionAttributes): boolean {
  return namespace !== '' && !(resource.group === '' && resource.resource === 'namespaces');
}

/** Adds tolerations for the taints of nodes with extended resources to pods that request those resources. */
export const extendedResourceToleration: AdmissionPlugin = {
  name: 'ExtendedResourceToleration',
  resources: ['pods'],
  handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
  admit({ kind, subresource, object }) {
    if (kind.kind !== 'Pod' || kind.group !== '' || subresource !== '') return;
    const spec = asKind<Pod>(object)?.spec;
    if (spec === undefined) return;
    const asked = [...(spec.containers ?? []), ...(spec.initContainers ?? [])].flatMap(({ resources }) =>
      Object.keys(resources?.requests ?? {}).filter(isExtended),
    );
    const present = spec.tolerations ?? [];
    const missing = [...new Set(asked)]
      .sort()
      .filter((key) => !present.some((toleration) => toleration.key === key && toleration.operator === 'Exists'));
    if (missing.length > 0) spec.tolerations = [...present, ...missing.map((key) => ({ key, operator: 'Exists' }))];
  },
};

function isExtended(name: string): boolean {
  return name.includes('/') && !name.includes('kubernetes.io/') && !name.startsWith('requests.');
}
