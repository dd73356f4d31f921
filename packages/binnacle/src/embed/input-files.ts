import { parseTokenFile, type TokenEntry } from '@binnacle/apiserver/authentication';
import type { SigningKey, VerificationKey } from '@binnacle/apiserver/serviceaccounts';
import type { EtcdKVOptions } from '@binnacle/kv/etcd';
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { createSecureContext } from 'node:tls';
import { describeFileError } from '../files/index.js';
import type { CheckedOptions } from './check-options.js';
import { StartError } from './start-error.js';

export interface InputFiles {
  readonly tokens: readonly TokenEntry[];
  /** PEM. */
  readonly clientAuthority?: string;
  /** The connection to etcd and the prefix of all keys; absent without etcd. */
  readonly etcd?: { readonly connection: EtcdKVOptions; readonly storagePrefix: string };
  /** The user's keys for service account tokens: one that signs, if any, and further ones that verify. */
  readonly serviceAccounts: {
    readonly signingKey: SigningKey | undefined;
    readonly verificationKeys: readonly VerificationKey[];
  };
  readonly serving?: { readonly certificate: string; readonly privateKey: string };
}

/** Reads and validates the files that the options name. Throws an `environment` error that names flag and file. */
export async function readInputFiles(options: CheckedOptions): Promise<InputFiles> {
  const { tokenAuthFile, clientCAFile, tlsCertFile, tlsPrivateKeyFile } = options;
  const tokens =
    tokenAuthFile === undefined ? [] : await readChecked('--token-auth-file', tokenAuthFile, parseTokenFile);
  const clientAuthority =
    clientCAFile === undefined ? undefined : await readChecked('--client-ca-file', clientCAFile, checkCertificates);
  const etcd = await readEtcdFiles(options);
  const common = {
    tokens,
    ...(clientAuthority === undefined ? {} : { clientAuthority }),
    ...(etcd === undefined ? {} : { etcd }),
    serviceAccounts: await readServiceAccountKeys(options),
  };
  if (tlsCertFile === undefined || tlsPrivateKeyFile === undefined) return common;
  const certificate = await readChecked('--tls-cert-file', tlsCertFile, checkCertificates);
  const privateKey = await readChecked('--tls-private-key-file', tlsPrivateKeyFile, (text) => {
    createSecureContext({ cert: certificate, key: text });
    return text;
  });
  return { ...common, serving: { certificate, privateKey } };
}

async function readEtcdFiles(options: CheckedOptions): Promise<InputFiles['etcd']> {
  const { etcdServers, etcdPrefix = '/registry', etcdCAFile, etcdCertFile, etcdKeyFile } = options;
  if (etcdServers === undefined) return undefined;
  const read = async (flag: string, path: string | undefined) =>
    path === undefined ? undefined : Buffer.from(await readChecked(flag, path, (text) => text));
  const certificateAuthority = await read('--etcd-cafile', etcdCAFile);
  const certificate = await read('--etcd-certfile', etcdCertFile);
  const privateKey = await read('--etcd-keyfile', etcdKeyFile);
  const tls = {
    ...(certificateAuthority === undefined ? {} : { certificateAuthority }),
    ...(certificate === undefined ? {} : { certificate }),
    ...(privateKey === undefined ? {} : { privateKey }),
  };
  // Upstream: apiserver `pkg/storage/etcd3/store.go` joins it as a path.
  const storagePrefix = posix.join('/', etcdPrefix, '/');
  const connection = {
    endpoints: etcdServers.split(',').map((server) => server.trim()),
    ...(Object.keys(tls).length === 0 ? {} : { tls }),
    ...(await readEtcdLogin(options)),
    // An etcd user may have access only to keys under the prefix.
    probeKey: storagePrefix,
    // The deadlines of requests end the wait, as upstream.
    requestTimeoutMilliseconds: 65_000,
  };
  return { connection, storagePrefix };
}

async function readServiceAccountKeys(options: CheckedOptions): Promise<InputFiles['serviceAccounts']> {
  const { serviceAccountSigningKeyFile: signing, serviceAccountKeyFiles = [] } = options;
  if (signing === undefined && serviceAccountKeyFiles.length === 0)
    return { signingKey: undefined, verificationKeys: [] };
  const { readSigningKey, readVerificationKeys } = await import('@binnacle/apiserver/serviceaccounts');
  const signingKey =
    signing === undefined
      ? undefined
      : await readChecked('--service-account-signing-key-file', signing, readSigningKey);
  const verificationKeys = await Promise.all(
    serviceAccountKeyFiles.map((path) => readChecked('--service-account-key-file', path, readVerificationKeys)),
  );
  return { signingKey, verificationKeys: verificationKeys.flat() };
}

async function readEtcdLogin({ etcdUsername: user, etcdPasswordFile }: CheckedOptions) {
  if (user === undefined || etcdPasswordFile === undefined) return {};
  const password = await readChecked('--etcd-password-file', etcdPasswordFile, (text) => text.replace(/\r?\n$/, ''));
  return { user, password };
}

async function readChecked<T>(flag: string, path: string, check: (text: string) => T): Promise<T> {
  try {
    return check(await readFile(path, 'utf8'));
  } catch (error) {
    const reason = describeFileError(error) ?? (error instanceof Error ? error.message : String(error));
    throw new StartError('environment', `${flag} ${path}: ${reason}`, { cause: error });
  }
}

function checkCertificates(text: string): string {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw new Error('the file holds no PEM certificate');
  // Parsing validates each certificate.
  return blocks.map((block) => new X509Certificate(block).toString()).join('');
}
