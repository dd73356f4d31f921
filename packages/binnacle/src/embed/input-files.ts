import { parseTokenFile, type TokenEntry } from '@binnacle/apiserver/authentication';
import type { AdmissionConfiguration } from '@binnacle/apiserver/admissionconfiguration';
import type { ReadAuditPolicy } from '@binnacle/apiserver/audit/configuration';
import type { StartTracing } from '@binnacle/apiserver/tracing';
import type { SigningKey, VerificationKey } from '@binnacle/apiserver/serviceaccounts';
import type { Clock } from '@binnacle/apimachinery/clock';
import type { NamedCertificate, RemoteServiceConfig } from '@binnacle/apiserver';
import type { EtcdKVOptions } from '@binnacle/kv/etcd';
import type { ReadConfiguration } from '@binnacle/scheduler/config';
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, posix, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { certificateBlocks } from '@binnacle/apimachinery/certificaterequests';
import type { StartConfig } from './options/config.js';
import { readNamedService, readNamedText, reasonOf } from './named-file.js';
import { parseNamedFiles } from './options/tls-options.js';
import { usageError } from './start-error.js';

/** The files that are read again when they change. */
export interface CertificateFiles {
  readonly serving: { readonly certificate: string; readonly privateKey: string } | undefined;
  /** The certificates for clients that ask for a name. */
  readonly named: readonly NamedCertificate[];
  /** PEM. */
  readonly clientAuthority: string | undefined;
  /** PEM: the authorities of front proxies. */
  readonly frontProxyAuthority: string | undefined;
}

export interface InputFiles extends CertificateFiles {
  readonly tokens: readonly TokenEntry[];
  /** The connection to etcd and the prefix of all keys; undefined without etcd. */
  readonly etcd: { readonly connection: EtcdKVOptions; readonly storagePrefix: string } | undefined;
  /** The user's keys for service account tokens: one that signs, if any, and further ones that verify. */
  readonly serviceAccounts: {
    readonly signingKey: SigningKey | undefined;
    readonly verificationKeys: readonly VerificationKey[];
  };
  /** The identity for extension API servers. */
  readonly proxyClient: { readonly certificate: string; readonly privateKey: string } | undefined;
  readonly auditPolicy: ReadAuditPolicy | undefined;
  readonly auditWebhook: RemoteServiceConfig | undefined;
  /** The identity for kubelets. */
  readonly kubeletClient: { readonly certificate: string; readonly privateKey: string } | undefined;
  /** PEM: the authorities of kubelets. */
  readonly kubeletAuthority: string | undefined;
  /** The authority that signs certificate requests. */
  readonly clusterSigning: { readonly certificate: string; readonly privateKey: string } | undefined;
  readonly scheduler: ReadConfiguration | undefined;
  /** Of options and of their file: `IMAGE=COMMAND` each. */
  readonly imageCommands: readonly string[];
  readonly admission: AdmissionConfiguration | undefined;
  readonly tracing: StartTracing | undefined;
  /** The service that authenticates bearer tokens. */
  readonly tokenWebhook: RemoteServiceConfig | undefined;
}

/** Reads and validates the files that the options name. Throws an `environment` error that names flag and file. */
export async function readInputFiles(config: StartConfig, clock: Clock): Promise<InputFiles> {
  return {
    tokens: (await readNamedText('--token-auth-file', config.tokenAuthFile, parseTokenFile)) ?? [],
    auditPolicy: await readAuditPolicy(config),
    auditWebhook: await readNamedService('--audit-webhook-config-file', config.auditWebhookConfigFile, clock),
    etcd: await readEtcdFiles(config),
    serviceAccounts: await readServiceAccountKeys(config),
    ...(await readCertificateFiles(config)),
    proxyClient: await readPair(
      ['--proxy-client-cert-file', config.proxyClientCertFile],
      ['--proxy-client-key-file', config.proxyClientKeyFile],
    ),
    kubeletClient: await readPair(
      ['--kubelet-client-certificate', config.kubeletClientCertificate],
      ['--kubelet-client-key', config.kubeletClientKey],
    ),
    kubeletAuthority: await readNamedText(
      '--kubelet-certificate-authority',
      config.kubeletCertificateAuthority,
      checkCertificates,
    ),
    clusterSigning: await readPair(
      ['--cluster-signing-cert-file', config.clusterSigningCertFile],
      ['--cluster-signing-key-file', config.clusterSigningKeyFile],
    ),
    scheduler: await readSchedulerFile(config.schedulerConfigFile),
    imageCommands: await readImageCommands(config),
    admission: await readAdmissionFile(config.admissionControlConfigFile, clock),
    tracing: await readTracingFile(config.tracingConfigFile),
    tokenWebhook: await readNamedService(
      '--authentication-token-webhook-config-file',
      config.authenticationTokenWebhookConfigFile,
      clock,
    ),
  };
}

/** Throws an `environment` error that names flag and file. */
export async function readCertificateFiles(config: StartConfig): Promise<CertificateFiles> {
  return {
    clientAuthority: await readNamedText('--client-ca-file', config.clientCAFile, checkCertificates),
    frontProxyAuthority: await readNamedText(
      '--requestheader-client-ca-file',
      config.requestheaderClientCAFile,
      checkCertificates,
    ),
    named: await Promise.all((config.tlsSniCertKeys ?? []).map(readNamedCertificate)),
    serving: await readPair(
      ['--tls-cert-file', config.tlsCertFile],
      ['--tls-private-key-file', config.tlsPrivateKeyFile],
    ),
  };
}

/** The code that reads it loads only if there is a file. */
async function readSchedulerFile(path: string | undefined): Promise<ReadConfiguration | undefined> {
  if (path === undefined) return undefined;
  const { readSchedulerConfiguration } = await import('@binnacle/scheduler/config');
  return readNamedText('--scheduler-config', path, (text) => readSchedulerConfiguration(text));
}

/** The code that reads it loads only if there is a file. Relative paths in it begin at its directory. */
async function readAdmissionFile(path: string | undefined, clock: Clock): Promise<AdmissionConfiguration | undefined> {
  if (path === undefined) return undefined;
  const { readAdmissionConfiguration } = await import('@binnacle/apiserver/admissionconfiguration');
  const { readRemoteService, readWebhookUsers } = await import('./remote-service.js');
  return readNamedText('--admission-control-config-file', path, (text) =>
    readAdmissionConfiguration(text, {
      text: (file) => readFile(resolve(dirname(path), file), 'utf8'),
      service: (file) => readRemoteService(file, clock),
      users: (file) => readWebhookUsers(file, clock),
    }),
  );
}

/** The code that reads it loads only if there is a file. */
async function readTracingFile(path: string | undefined): Promise<StartTracing | undefined> {
  if (path === undefined) return undefined;
  const { openTracing, readTracingConfiguration } = await import('@binnacle/apiserver/tracing');
  const configuration = await readNamedText('--tracing-config-file', path, readTracingConfiguration);
  return configuration && ((parts) => openTracing(configuration, parts));
}

/** The code that reads them loads only if there are any. */
async function readImageCommands({ imageCommands = [], imageCommandsFile }: StartConfig): Promise<readonly string[]> {
  if (imageCommands.length === 0 && imageCommandsFile === undefined) return [];
  const { ImageCommands } = await import('@binnacle/nodes/workloads');
  const lines = await readNamedText('--image-commands-file', imageCommandsFile, (text) => ImageCommands.linesOf(text));
  const all = [...imageCommands, ...(lines ?? [])];
  try {
    ImageCommands.parse(all);
  } catch (error) {
    throw usageError(`--image-command: ${reasonOf(error)}`);
  }
  return all;
}

type FileOption = readonly [flag: string, path: string | undefined];

/** A certificate and its key. */
async function readPair(certificateFile: FileOption, keyFile: FileOption): Promise<InputFiles['serving']> {
  const certificate = await readNamedText(...certificateFile, checkCertificates);
  const privateKey = await readNamedText(...keyFile, (text) => {
    createSecureContext({ cert: certificate, key: text });
    return text;
  });
  return certificate === undefined || privateKey === undefined ? undefined : { certificate, privateKey };
}

/** Without names, the certificate's own. Upstream: apiserver `pkg/server/dynamiccertificates/named_certificates.go`. */
async function readNamedCertificate(value: string): Promise<NamedCertificate> {
  const files = parseNamedFiles(value);
  const flag = '--tls-sni-cert-key';
  const pair = await readPair([flag, files.certificate], [flag, files.privateKey]);
  if (pair === undefined) throw new Error('both files are named');
  const names = files.names.length > 0 ? files.names : namesOf(new X509Certificate(pair.certificate));
  return { ...pair, names };
}

function namesOf({ subject, subjectAltName = '' }: X509Certificate): readonly string[] {
  const alternatives = subjectAltName.split(', ').flatMap((entry) => /^DNS:(.+)$/.exec(entry)?.[1] ?? []);
  const common = /^CN=(.+)$/m.exec(subject)?.[1];
  return [...new Set([...(common === undefined ? [] : [common]), ...alternatives])];
}

async function readEtcdFiles(config: StartConfig): Promise<InputFiles['etcd']> {
  const { etcdServers, etcdPrefix, etcdUsername: user } = config;
  if (etcdServers === undefined) return undefined;
  const certificateAuthority = await readNamedText('--etcd-cafile', config.etcdCAFile, toBuffer);
  const certificate = await readNamedText('--etcd-certfile', config.etcdCertFile, toBuffer);
  const privateKey = await readNamedText('--etcd-keyfile', config.etcdKeyFile, toBuffer);
  const isSecured = [certificateAuthority, certificate, privateKey].some((file) => file !== undefined);
  // Upstream: apiserver `pkg/storage/etcd3/store.go` joins it as a path.
  const storagePrefix = posix.join('/', etcdPrefix, '/');
  const connection = {
    endpoints: etcdServers.split(',').map((server) => server.trim()),
    tls: isSecured ? { certificateAuthority, certificate, privateKey } : undefined,
    user,
    password: await readNamedText('--etcd-password-file', config.etcdPasswordFile, withoutLineEnd),
    // An etcd user may have access only to keys under the prefix.
    probeKey: storagePrefix,
    // The deadlines of requests end the wait, like upstream.
    requestTimeoutMilliseconds: 65_000,
  };
  return { connection, storagePrefix };
}

async function readAuditPolicy({ auditPolicyFile }: StartConfig): Promise<ReadAuditPolicy | undefined> {
  if (auditPolicyFile === undefined) return undefined;
  const { readAuditPolicy: read } = await import('@binnacle/apiserver/audit/configuration');
  return readNamedText('--audit-policy-file', auditPolicyFile, read);
}

const toBuffer = (text: string): Buffer => Buffer.from(text);
const withoutLineEnd = (text: string): string => text.replace(/\r?\n$/, '');

async function readServiceAccountKeys(options: StartConfig): Promise<InputFiles['serviceAccounts']> {
  const { serviceAccountSigningKeyFile: signing, serviceAccountKeyFiles = [] } = options;
  if (signing === undefined && serviceAccountKeyFiles.length === 0)
    return { signingKey: undefined, verificationKeys: [] };
  const { readSigningKey, readVerificationKeys } = await import('@binnacle/apiserver/serviceaccounts');
  const signingKey = await readNamedText('--service-account-signing-key-file', signing, readSigningKey);
  const verificationKeys = await Promise.all(
    serviceAccountKeyFiles.map((path) => readNamedText('--service-account-key-file', path, readVerificationKeys)),
  );
  return { signingKey, verificationKeys: verificationKeys.flatMap((keys) => keys ?? []) };
}

function checkCertificates(text: string): string {
  const blocks = certificateBlocks(text);
  if (blocks.length === 0) throw new Error('the file holds no PEM certificate');
  // Parsing validates each certificate.
  return blocks.map((block) => new X509Certificate(block).toString()).join('');
}
