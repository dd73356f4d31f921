import type { ConfigMap } from '@binnacle/api/types/core-v1';
import { asKind, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { notFound } from '@binnacle/apimachinery/status';
import { type OwnResource, serverScope } from './bootstrap.js';

const NAMESPACE = 'kube-system';
const NAME = 'extension-apiserver-authentication';
const CLIENT_AUTHORITIES = 'client-ca-file';
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Publishes the authorities whose client certificates this server accepts. Extension API servers verify clients with
 * them.
 * Upstream: `pkg/controlplane/controller/clusterauthenticationtrust`.
 */
export function trustedClients(authorities: readonly string[]): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: NAME, namespace: NAMESPACE },
    data: { [CLIENT_AUTHORITIES]: bundle(authorities) },
  };
}

/** Adds the authorities that the object lacks. It may hold those of other servers and of earlier starts. */
export async function addTrustedClients(configMaps: OwnResource, authorities: readonly string[]): Promise<void> {
  const transform = (current: KubernetesObject | undefined): KubernetesObject => {
    if (current === undefined) throw notFound({ group: '', resource: 'configmaps' }, NAME);
    const { data = {} } = asKind<ConfigMap>(current);
    const known = data[CLIENT_AUTHORITIES] ?? '';
    return { ...current, data: { ...data, [CLIENT_AUTHORITIES]: bundle([known, ...authorities]) } };
  };
  await configMaps.store.update(serverScope(NAMESPACE), { name: NAME, transform, strategy: {} });
}

/** Each certificate appears once. */
function bundle(texts: readonly string[]): string {
  const certificates = new Set(texts.flatMap((text) => text.match(CERTIFICATE) ?? []));
  return [...certificates].map((certificate) => `${certificate}\n`).join('');
}
