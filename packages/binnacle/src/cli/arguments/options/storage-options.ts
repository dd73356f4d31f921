import type { ServeOption } from '../serve-option.js';

export const dataDirectoryDefault = '$XDG_DATA_HOME/binnacle, or ~/.local/share/binnacle';

/** Where objects are, and for how long. */
export const storageOptions: readonly ServeOption[] = [
  {
    name: 'data-dir',
    type: 'text',
    placeholder: 'DIR',
    key: 'dataDirectory',
    default: dataDirectoryDefault,
    description:
      'directory for objects, certificates and the kubeconfig; created when absent, used by one server at a time',
  },
  {
    name: 'in-memory',
    type: 'switch',
    key: 'inMemory',
    default: 'false',
    description: 'keep everything in memory and lose it when the server stops',
  },
  {
    name: 'write-kubeconfig',
    type: 'text',
    placeholder: 'FILE',
    key: 'kubeconfigFile',
    default: 'kubeconfig in the data directory',
    description: 'file to write the administrator kubeconfig to',
  },
  {
    name: 'history-retention',
    type: 'duration',
    placeholder: 'DURATION',
    key: 'historyRetentionMs',
    default: '5m',
    description:
      'how long past revisions can be listed at and watched from; their space is reused afterwards; 0 keeps all history',
  },
  {
    name: 'history-retention-for',
    type: 'texts',
    placeholder: 'RESOURCE=DURATION',
    key: 'historyRetentionFor',
    description:
      'how long former values of a resource can be read, such as secrets=0 or leases.coordination.k8s.io=30m, if not as long as the history, but at least 5m, because clients read such recent revisions; who changed what stays known; repeat the option, or separate several by commas',
  },
  {
    name: 'event-ttl',
    type: 'duration',
    placeholder: 'DURATION',
    key: 'eventTtlMs',
    default: '1h',
    description: 'how long Event objects are kept; 0 keeps them forever',
  },
  {
    name: 'watch-cache',
    type: 'switch',
    key: 'watchCache',
    default: 'true',
    description: 'serve reads from memory when it is fresh enough; false reads the store every time',
  },
  {
    name: 'storage-media-type',
    type: 'text',
    placeholder: 'TYPE',
    key: 'storageMediaType',
    default: 'application/vnd.kubernetes.protobuf with --etcd-servers, else application/json',
    description:
      'encoding of stored objects, one of these two; the server reads both, and re-encodes an object when it is next written',
  },
  {
    name: 'etcd-servers',
    type: 'text',
    placeholder: 'LIST',
    key: 'etcdServers',
    description: 'etcd members to store objects in, instead of the data directory; separated by commas',
  },
  {
    name: 'etcd-prefix',
    type: 'text',
    placeholder: 'PREFIX',
    key: 'etcdPrefix',
    default: '/registry',
    description: 'prefix of all keys in etcd; clusters with different prefixes can share one etcd',
  },
  {
    name: 'etcd-username',
    type: 'text',
    placeholder: 'NAME',
    key: 'etcdUsername',
    description: 'etcd user, together with --etcd-password-file; kube-apiserver has no such option',
  },
  {
    name: 'etcd-password-file',
    type: 'text',
    placeholder: 'FILE',
    key: 'etcdPasswordFile',
    description: 'file with the password of --etcd-username; a newline at the end is ignored',
  },
  {
    name: 'etcd-cafile',
    type: 'text',
    placeholder: 'FILE',
    key: 'etcdCAFile',
    description: 'PEM file of the authority that signs the certificates of etcd',
  },
  {
    name: 'etcd-certfile',
    type: 'text',
    placeholder: 'FILE',
    key: 'etcdCertFile',
    description: 'PEM file of the client certificate for etcd',
  },
  {
    name: 'etcd-keyfile',
    type: 'text',
    placeholder: 'FILE',
    key: 'etcdKeyFile',
    description: 'PEM file of the private key for --etcd-certfile',
  },
  {
    name: 'etcd-compaction-interval',
    type: 'duration',
    placeholder: 'DURATION',
    key: 'etcdCompactionIntervalMs',
    default: '5m',
    description: 'how often the API servers that share an etcd compact it; 0 turns compaction off',
  },
  {
    name: 'encryption-provider-config',
    type: 'text',
    placeholder: 'FILE',
    key: 'encryptionProviderConfig',
    description: 'file with an EncryptionConfiguration: which resources are encrypted in the store, and by which keys',
  },
  {
    name: 'encryption-provider-config-automatic-reload',
    type: 'switch',
    key: 'encryptionProviderConfigAutomaticReload',
    default: 'false',
    description: 'read this file again when it changes; caches then hold the objects of all resources it may encrypt',
  },
];
