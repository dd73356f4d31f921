import { certificateBlocks } from '@binnacle/apimachinery/certificaterequests';
import type { ConfigMap } from '@binnacle/api/types/core-v1';
import { asKind, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { notFound } from '@binnacle/apimachinery/status';
import { type OwnResource, serverScope } from './bootstrap.js';

const NAMESPACE = 'kube-system';
const NAME = 'extension-apiserver-authentication';
const CLIENT_AUTHORITIES = 'client-ca-file';
const PROXY_AUTHORITIES = 'requestheader-client-ca-file';

/** The authorities whose certificates name users, and those whose certificates name front proxies. They are PEM. */
export interface TrustedClients {
  readonly clientAuthorities: readonly string[];
  readonly frontProxies:
    | {
        readonly authorities: readonly string[];
        readonly allowedNames: readonly string[];
        readonly usernameHeaders: readonly string[];
        readonly uidHeaders: readonly string[];
        readonly groupHeaders: readonly string[];
        readonly extraHeaderPrefixes: readonly string[];
      }
    | undefined;
}

/**
 * Publishes the clients that this server trusts to name users. Extension API servers verify their clients, and the requests that
 * this server proxies to them, with it.
 * Upstream: `pkg/controlplane/controller/clusterauthenticationtrust`.
 */
export function trustedClients(trusted: TrustedClients): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: NAME, namespace: NAMESPACE },
    data: combined({}, trusted),
  };
}

/** Adds what the object lacks. It may hold the authorities of other servers and of earlier starts. */
export async function addTrustedClients(configMaps: OwnResource, trusted: TrustedClients): Promise<void> {
  const transform = (current: KubernetesObject | undefined): KubernetesObject => {
    if (current === undefined) throw notFound({ group: '', resource: 'configmaps' }, NAME);
    const { data = {} } = asKind<ConfigMap>(current);
    return { ...current, data: combined(data, trusted) };
  };
  await configMaps.store.update(serverScope(NAMESPACE), { name: NAME, transform, strategy: {} });
}

type Data = Readonly<Record<string, string>>;

function combined(data: Data, { clientAuthorities, frontProxies }: TrustedClients): Data {
  const clients = bundle([data[CLIENT_AUTHORITIES] ?? '', ...clientAuthorities]);
  const own = { ...data, ...(clients === '' ? {} : { [CLIENT_AUTHORITIES]: clients }) };
  if (frontProxies === undefined) return own;
  const lists: Data = {
    'requestheader-username-headers': union(data, 'requestheader-username-headers', frontProxies.usernameHeaders),
    'requestheader-uid-headers': union(data, 'requestheader-uid-headers', frontProxies.uidHeaders),
    'requestheader-group-headers': union(data, 'requestheader-group-headers', frontProxies.groupHeaders),
    'requestheader-extra-headers-prefix': union(
      data,
      'requestheader-extra-headers-prefix',
      frontProxies.extraHeaderPrefixes,
    ),
    'requestheader-allowed-names': union(data, 'requestheader-allowed-names', frontProxies.allowedNames),
  };
  const isShown = ([key, list]: [string, string]): boolean => key !== 'requestheader-uid-headers' || list !== '[]';
  return {
    ...own,
    ...Object.fromEntries(Object.entries(lists).filter(isShown)),
    [PROXY_AUTHORITIES]: bundle([data[PROXY_AUTHORITIES] ?? '', ...frontProxies.authorities]),
  };
}

/** A JSON list of the texts that the object has and of further ones. A value that is not a list is replaced. */
function union(data: Data, key: string, texts: readonly string[]): string {
  return JSON.stringify([...new Set([...textsIn(data[key] ?? '[]'), ...texts])]);
}

function textsIn(list: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(list);
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}

/** Each certificate appears once. */
function bundle(texts: readonly string[]): string {
  const certificates = new Set(texts.flatMap(certificateBlocks));
  return [...certificates].map((certificate) => `${certificate}\n`).join('');
}
