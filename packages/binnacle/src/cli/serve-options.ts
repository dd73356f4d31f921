import { featureGates } from '@binnacle/apiserver/features';
import { loops } from '@binnacle/controllers/table';
import type { StartOptions } from '../embed/index.js';

type KeyOf<T> = { [K in keyof StartOptions]-?: StartOptions[K] extends T | undefined ? K : never }[keyof StartOptions];

interface OptionText {
  /** Without the dashes. */
  readonly name: string;
  /** What the default is, in words or as it would be typed; absent = none. */
  readonly default?: string;
  /** One sentence without a full stop. */
  readonly description: string;
}

/** One option of `binnacle serve`: how it is written, and which field of {@link StartOptions} it sets. */
export type ServeOption = OptionText &
  (
    | { readonly type: 'text'; readonly placeholder: string; readonly key: KeyOf<string> }
    /** May be given several times. */
    | { readonly type: 'texts'; readonly placeholder: string; readonly key: KeyOf<readonly string[]> }
    | { readonly type: 'port'; readonly placeholder: string; readonly key: KeyOf<number> }
    | { readonly type: 'seconds'; readonly placeholder: string; readonly key: KeyOf<number> }
    /** Typed as Go's, `1h30m`; kept in milliseconds. */
    | { readonly type: 'duration'; readonly placeholder: string; readonly key: KeyOf<number> }
    /** Typed as a quantity, `512Mi`; kept in bytes. */
    | { readonly type: 'bytes'; readonly placeholder: string; readonly key: KeyOf<number> }
    | { readonly type: 'switch'; readonly key: KeyOf<boolean> }
  );

export const dataDirectoryDefault = '$XDG_DATA_HOME/binnacle, or ~/.local/share/binnacle';

/**
 * Names and meanings are kube-apiserver's where it has such a flag; `data-dir`, `in-memory`, `write-kubeconfig`, `history-retention`, `max-memory`, `etcd-username`,
 * `etcd-password-file` and `fault-injection` are ours.
 */
export const serveOptions: readonly ServeOption[] = [
  {
    name: 'bind-address',
    type: 'text',
    placeholder: 'IP',
    key: 'bindAddress',
    default: '127.0.0.1',
    description: 'address to listen on; 0.0.0.0 or :: for all',
  },
  {
    name: 'secure-port',
    type: 'port',
    placeholder: 'PORT',
    key: 'securePort',
    default: '6443',
    description: 'port for HTTPS, HTTP/2 and HTTP/1.1; 0 takes any free one',
  },
  {
    name: 'data-dir',
    type: 'text',
    placeholder: 'DIR',
    key: 'dataDirectory',
    default: dataDirectoryDefault,
    description: 'where objects, certificates and the kubeconfig are kept; made if absent, for one server at a time',
  },
  {
    name: 'in-memory',
    type: 'switch',
    key: 'inMemory',
    default: 'false',
    description: 'keep everything in memory and lose it at the end',
  },
  {
    name: 'write-kubeconfig',
    type: 'text',
    placeholder: 'FILE',
    key: 'kubeconfigFile',
    default: 'kubeconfig in the data directory',
    description: 'where to write the kubeconfig of the administrator',
  },
  {
    name: 'token-auth-file',
    type: 'text',
    placeholder: 'FILE',
    key: 'tokenAuthFile',
    description: 'CSV of static tokens: token,user,uid,"group1,group2"',
  },
  {
    name: 'client-ca-file',
    type: 'text',
    placeholder: 'FILE',
    key: 'clientCAFile',
    description: "PEM of authorities trusted for client certificates, beside the server's own",
  },
  {
    name: 'tls-cert-file',
    type: 'text',
    placeholder: 'FILE',
    key: 'tlsCertFile',
    default: "a certificate made by the server's own authority",
    description: 'PEM of the certificate to serve with, and of intermediate ones after it',
  },
  {
    name: 'tls-private-key-file',
    type: 'text',
    placeholder: 'FILE',
    key: 'tlsPrivateKeyFile',
    description: 'PEM of the key that belongs to --tls-cert-file',
  },
  {
    name: 'service-account-signing-key-file',
    type: 'text',
    placeholder: 'FILE',
    key: 'serviceAccountSigningKeyFile',
    default: 'a key made at the first start',
    description: 'PEM of the private key that signs tokens of service accounts',
  },
  {
    name: 'service-account-key-file',
    type: 'texts',
    placeholder: 'FILE',
    key: 'serviceAccountKeyFiles',
    description:
      'PEM of further keys that tokens of service accounts may be signed with; several times for several files',
  },
  {
    name: 'service-account-issuer',
    type: 'texts',
    placeholder: 'URL',
    key: 'serviceAccountIssuers',
    default: 'https://kubernetes.default.svc.cluster.local',
    description: 'who tokens of service accounts are from; given again, tokens of the further ones are accepted too',
  },
  {
    name: 'service-account-jwks-uri',
    type: 'text',
    placeholder: 'URL',
    key: 'serviceAccountJwksUri',
    default: '/openid/v1/jwks on this server',
    description: 'where the issuer says that its public keys are',
  },
  {
    name: 'service-account-max-token-expiration',
    type: 'duration',
    placeholder: 'DURATION',
    key: 'serviceAccountMaxTokenExpirationMs',
    default: '0',
    description: 'tokens of service accounts last no longer, from an hour up; 0 for as long as is asked for',
  },
  {
    name: 'service-account-extend-token-expiration',
    type: 'switch',
    key: 'serviceAccountExtendTokenExpiration',
    default: 'true',
    description: 'accept the tokens of pods for a year, so that clients that never read them anew go on',
  },
  {
    name: 'service-account-lookup',
    type: 'switch',
    key: 'serviceAccountLookup',
    default: 'true',
    description: 'check that the secret of a token without an end, and its account, are still there',
  },
  {
    name: 'api-audiences',
    type: 'text',
    placeholder: 'LIST',
    key: 'apiAudiences',
    default: 'the issuers',
    description: 'whom tokens for this server are meant for, separated by commas',
  },
  {
    name: 'service-cluster-ip-range',
    type: 'text',
    placeholder: 'CIDR',
    key: 'serviceClusterIPRange',
    default: '10.0.0.0/24',
    description: 'range of the cluster IPs of services, or one for each IP family, separated by a comma',
  },
  {
    name: 'runtime-config',
    type: 'text',
    placeholder: 'LIST',
    key: 'runtimeConfig',
    description:
      'APIs to turn on or off: api/all|ga|beta|alpha, group/version or group/version/resource, each =true or =false',
  },
  {
    name: 'feature-gates',
    type: 'text',
    placeholder: 'LIST',
    key: 'featureGates',
    description: `features to turn on or off, each =true or =false, separated by commas; AllAlpha and AllBeta for all of a stage. There are ${featureGates.map(({ name, stage, isOnByDefault }) => `${name} (${stage}, default ${isOnByDefault})`).join(', ')}`,
  },
  {
    name: 'enable-admission-plugins',
    type: 'text',
    placeholder: 'LIST',
    key: 'enableAdmissionPlugins',
    description: 'admission plugins to turn on beside those that are by default, separated by commas',
  },
  {
    name: 'disable-admission-plugins',
    type: 'text',
    placeholder: 'LIST',
    key: 'disableAdmissionPlugins',
    description: 'admission plugins to turn off, such as ServiceAccount; separated by commas',
  },
  {
    name: 'history-retention',
    type: 'duration',
    placeholder: 'DURATION',
    key: 'historyRetentionMs',
    default: '5m',
    description:
      'how long a version can be listed at and watched from, after which its space is free again; 0 keeps all',
  },
  {
    name: 'max-memory',
    type: 'bytes',
    placeholder: 'BYTES',
    key: 'maxMemoryBytes',
    default: '80% of the memory limit, or half of the machine',
    description:
      'memory that the process may take, such as 512Mi or 2Gi; a request for which none is left is answered 429 and retried by its client. The heap of Node.js has a limit of its own, `--max-old-space-size`, and the smaller one counts',
  },
  {
    name: 'event-ttl',
    type: 'duration',
    placeholder: 'DURATION',
    key: 'eventTtlMs',
    default: '1h',
    description: 'how long Event objects are kept; 0 keeps them for ever',
  },
  {
    name: 'min-request-timeout',
    type: 'seconds',
    placeholder: 'SECONDS',
    key: 'minRequestTimeoutSeconds',
    default: '1800',
    description: 'a watch that names no timeout lasts this long, or up to twice as long; 0 for no end',
  },
  {
    name: 'watch-cache',
    type: 'switch',
    key: 'watchCache',
    default: 'true',
    description: 'answer reads out of memory where that is fresh enough; false asks the store each time',
  },
  {
    name: 'storage-media-type',
    type: 'text',
    placeholder: 'TYPE',
    key: 'storageMediaType',
    default: 'application/vnd.kubernetes.protobuf with --etcd-servers, else application/json',
    description:
      'how objects are stored, of these two; both are read, and what is stored is changed when it is written',
  },
  {
    name: 'etcd-servers',
    type: 'text',
    placeholder: 'LIST',
    key: 'etcdServers',
    description: 'members of the etcd to keep objects in, instead of in the data directory; separated by commas',
  },
  {
    name: 'etcd-prefix',
    type: 'text',
    placeholder: 'PREFIX',
    key: 'etcdPrefix',
    default: '/registry',
    description: 'what all keys in etcd begin with; clusters with different ones can share an etcd',
  },
  {
    name: 'etcd-username',
    type: 'text',
    placeholder: 'NAME',
    key: 'etcdUsername',
    description: 'user of etcd, where it asks for one, with --etcd-password-file; kube-apiserver has no such option',
  },
  {
    name: 'etcd-password-file',
    type: 'text',
    placeholder: 'FILE',
    key: 'etcdPasswordFile',
    description: "file that holds the password of --etcd-username; a newline at its end is not the password's",
  },
  {
    name: 'etcd-cafile',
    type: 'text',
    placeholder: 'FILE',
    key: 'etcdCAFile',
    description: "PEM of the authority that signs etcd's certificates",
  },
  {
    name: 'etcd-certfile',
    type: 'text',
    placeholder: 'FILE',
    key: 'etcdCertFile',
    description: 'PEM of the certificate to show etcd',
  },
  {
    name: 'etcd-keyfile',
    type: 'text',
    placeholder: 'FILE',
    key: 'etcdKeyFile',
    description: 'PEM of the key that belongs to --etcd-certfile',
  },
  {
    name: 'etcd-compaction-interval',
    type: 'duration',
    placeholder: 'DURATION',
    key: 'etcdCompactionIntervalMs',
    default: '5m',
    description: 'how often the API servers of an etcd compact it, together; 0 turns it off',
  },
  {
    name: 'fault-injection',
    type: 'switch',
    key: 'faultInjection',
    default: 'false',
    description:
      'for tests alone: let administrators make requests fail, watches break and caches lag, at /debug/faults',
  },
  {
    name: 'controllers',
    type: 'text',
    placeholder: 'LIST',
    key: 'controllers',
    default: '*',
    description: `control loops to run: names, -name for none of it, * for all, separated by commas; nothing after the = for none at all. There are ${loops.map(({ name }) => name).join(', ')}`,
  },
];

/** What the default is when the command line does not say: a program takes any free port, a person the usual one. */
export const defaultSecurePort = 6443;

/** How an option is written: `--secure-port PORT`. */
export function optionUsage(option: ServeOption): string {
  return option.type === 'switch' ? `--${option.name}` : `--${option.name} ${option.placeholder}`;
}
