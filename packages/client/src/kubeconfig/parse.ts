import { dirname, resolve } from 'node:path';
import { parseYaml, YamlError } from '@binnacle/apimachinery/yaml';
import type { Cluster, Context, ExecPlugin, Impersonation, Kubeconfig, User } from './document.js';
import { EntryReader } from './entry-reader.js';
import { KubeconfigError } from './kubeconfig-error.js';

const EXTENSION_FOR_PLUGINS = 'client.authentication.k8s.io/exec';

/**
 * Reads one kubeconfig in YAML or JSON. `path` is its location, for messages and to resolve relative paths. Throws a {@link KubeconfigError}.
 */
export function parseKubeconfig(text: string | Uint8Array, path?: string): Kubeconfig {
  const origin = path ?? 'kubeconfig';
  const folder = path === undefined ? undefined : dirname(resolve(path));
  const reader = new EntryReader(parse(text, origin), `${origin}: `);
  const kind = reader.text('kind') ?? 'Config';
  const apiVersion = reader.text('apiVersion') ?? 'v1';
  if (kind !== 'Config' || apiVersion !== 'v1') {
    throw new KubeconfigError(`${origin}: is ${apiVersion} ${kind}, but a kubeconfig is v1 Config`);
  }
  return {
    origins: [origin],
    clusters: named(reader, 'clusters', 'cluster', (entry) => readCluster(entry, folder)),
    users: named(reader, 'users', 'user', (entry) => readUser(entry, folder)),
    contexts: named(reader, 'contexts', 'context', readContext),
    currentContext: reader.text('current-context'),
  };
}

function parse(text: string | Uint8Array, origin: string) {
  try {
    return parseYaml(text).value;
  } catch (error) {
    if (error instanceof YamlError) throw new KubeconfigError(`${origin}: ${error.message}`, { cause: error });
    throw error;
  }
}

/** `[{ name, [field]: ... }]` as a map. */
function named<T>(reader: EntryReader, list: string, field: string, read: (entry: EntryReader) => T): Map<string, T> {
  const entries = new Map<string, T>();
  for (const item of reader.entries(list)) {
    const name = item.requiredText('name');
    if (entries.has(name)) item.fail('name', `is "${name}", as another one's is`);
    entries.set(name, read(item.entry(field) ?? new EntryReader({}, `${item.where}.${field}`)));
  }
  return entries;
}

function readCluster(entry: EntryReader, folder: string | undefined): Cluster {
  const extensions = entry.entries('extensions');
  const forPlugins = extensions.find((extension) => extension.text('name') === EXTENSION_FOR_PLUGINS);
  return {
    server: entry.text('server'),
    tlsServerName: entry.text('tls-server-name'),
    insecureSkipTlsVerify: entry.flag('insecure-skip-tls-verify'),
    certificateAuthority: absolute(entry.text('certificate-authority'), folder),
    certificateAuthorityData: entry.data('certificate-authority-data'),
    proxyUrl: entry.text('proxy-url'),
    disableCompression: entry.flag('disable-compression'),
    execConfig: forPlugins?.object('extension'),
  };
}

function readUser(entry: EntryReader, folder: string | undefined): User {
  const exec = entry.entry('exec');
  return {
    clientCertificate: absolute(entry.text('client-certificate'), folder),
    clientCertificateData: entry.data('client-certificate-data'),
    clientKey: absolute(entry.text('client-key'), folder),
    clientKeyData: entry.data('client-key-data'),
    token: entry.text('token'),
    tokenFile: absolute(entry.text('tokenFile'), folder),
    username: entry.text('username'),
    password: entry.text('password'),
    impersonate: readImpersonation(entry),
    exec: exec === undefined ? undefined : readExec(exec, folder),
    authProvider: entry.entry('auth-provider')?.requiredText('name'),
  };
}

function readImpersonation(entry: EntryReader): Impersonation | undefined {
  const user = entry.text('as');
  const uid = entry.text('as-uid');
  const groups = entry.texts('as-groups');
  const extra = entry.entry('as-user-extra');
  if (user === undefined) {
    if (uid !== undefined || groups.length > 0 || extra !== undefined) {
      entry.fail('as', 'is missing: a uid, groups or extra can be taken on with a user only');
    }
    return undefined;
  }
  const extras = extra?.keys().map((key) => [key, extra.texts(key)] as const);
  return { user, uid, groups, extra: extras === undefined ? undefined : Object.fromEntries(extras) };
}

const pluginVersions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];

function readExec(entry: EntryReader, folder: string | undefined): ExecPlugin {
  const apiVersion = entry.requiredText('apiVersion');
  if (!pluginVersions.includes(apiVersion)) {
    entry.fail('apiVersion', `is "${apiVersion}"; supported: ${pluginVersions.join(', ')}`);
  }
  const command = entry.requiredText('command');
  return {
    apiVersion,
    // As upstream: a command with a slash is a path, any other is searched on the PATH.
    command: /[\\/]/.test(command) ? (absolute(command, folder) ?? command) : command,
    args: entry.texts('args'),
    env: entry.entries('env').map((item) => ({ name: item.requiredText('name'), value: item.text('value') ?? '' })),
    installHint: entry.text('installHint'),
    provideClusterInfo: entry.flag('provideClusterInfo'),
    interactiveMode: readInteractiveMode(entry, apiVersion),
  };
}

function readInteractiveMode(entry: EntryReader, apiVersion: string): ExecPlugin['interactiveMode'] {
  const mode = entry.text('interactiveMode') ?? (apiVersion.endsWith('/v1beta1') ? 'IfAvailable' : undefined);
  if (mode === 'Never' || mode === 'IfAvailable' || mode === 'Always') return mode;
  const problem = mode === undefined ? 'is missing' : `is "${mode}"`;
  return entry.fail('interactiveMode', `${problem}; it must be Never, IfAvailable or Always`);
}

function readContext(entry: EntryReader): Context {
  return {
    cluster: entry.text('cluster') ?? '',
    user: entry.text('user') ?? '',
    namespace: entry.text('namespace'),
  };
}

function absolute(path: string | undefined, folder: string | undefined): string | undefined {
  return path === undefined || folder === undefined ? path : resolve(folder, path);
}
