import { exchange, isNotFound } from '../rest/index.js';
import type { Transport } from '../transport/index.js';

const PATH = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';

/** Which clients may name users in headers, and in which. */
export interface FrontProxies {
  /** PEM. */
  readonly authorities: readonly string[];
  /** Common names of certificates. Empty: every certificate of the authorities. */
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

/** The clients that a cluster trusts to name users. */
export interface ClusterTrust {
  /** PEM; undefined: no client certificates. */
  readonly clientAuthority: string | undefined;
  readonly frontProxies: FrontProxies | undefined;
}

/** Reads what the cluster publishes for extension API servers. */
export async function readClusterTrust(cluster: Transport): Promise<ClusterTrust> {
  const data = await dataOf(cluster);
  const list = (key: string): readonly string[] => textsIn(data[key] ?? '[]');
  const authority = data['requestheader-client-ca-file'];
  return {
    clientAuthority: data['client-ca-file'],
    frontProxies:
      authority === undefined
        ? undefined
        : {
            authorities: [authority],
            allowedNames: list('requestheader-allowed-names'),
            usernameHeaders: list('requestheader-username-headers'),
            uidHeaders: list('requestheader-uid-headers'),
            groupHeaders: list('requestheader-group-headers'),
            extraHeaderPrefixes: list('requestheader-extra-headers-prefix'),
          },
  };
}

async function dataOf(cluster: Transport): Promise<Readonly<Record<string, string>>> {
  try {
    const request = { method: 'GET', path: PATH, headers: { accept: 'application/json' } };
    const { data = {} } = (await exchange(cluster, request, {})) as { data?: Record<string, string> };
    return data;
  } catch (error) {
    if (isNotFound(error)) return {};
    throw error;
  }
}

function textsIn(list: string): readonly string[] {
  const value: unknown = JSON.parse(list);
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
