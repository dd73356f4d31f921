import {
  type ConfigurationKinds,
  duration,
  int32,
  kind,
  listOf,
  nested,
  struct,
  text,
  texts,
} from '@binnacle/apimachinery/configuration';

/** The fields of a file of the kind EncryptionConfiguration. Upstream: apiserver `pkg/apis/apiserver/v1/types_encryption.go`. */
export interface EncryptionFile {
  readonly resources?: readonly ResourcesFile[] | undefined;
}

export interface ResourcesFile {
  readonly resources?: readonly string[] | undefined;
  readonly providers?: readonly ProviderFile[] | undefined;
}

/** One field is set. */
export interface ProviderFile {
  readonly aesgcm?: KeysFile | undefined;
  readonly aescbc?: KeysFile | undefined;
  readonly secretbox?: KeysFile | undefined;
  readonly identity?: object | undefined;
  readonly kms?: KmsFile | undefined;
}

export interface KeysFile {
  readonly keys?: readonly KeyFile[] | undefined;
}

export interface KeyFile {
  readonly name?: string | undefined;
  /** Base64. */
  readonly secret?: string | undefined;
}

export interface KmsFile {
  readonly apiVersion?: string | undefined;
  readonly name?: string | undefined;
  readonly cachesize?: number | undefined;
  readonly endpoint?: string | undefined;
  /** Go's text form. */
  readonly timeout?: string | undefined;
}

const keys = listOf(nested(struct('v1.Key', { name: text, secret: text })));
const aes = nested(struct('v1.AESConfiguration', { keys }));
const provider = struct('v1.ProviderConfiguration', {
  aesgcm: aes,
  aescbc: aes,
  secretbox: nested(struct('v1.SecretboxConfiguration', { keys })),
  identity: nested(struct('v1.IdentityConfiguration', {})),
  kms: nested(
    struct('v1.KMSConfiguration', {
      apiVersion: text,
      name: text,
      cachesize: int32,
      endpoint: text,
      timeout: duration,
    }),
  ),
});

export const kinds: ConfigurationKinds = new Map([
  [
    'apiserver.config.k8s.io/v1/EncryptionConfiguration',
    kind('v1.EncryptionConfiguration', {
      resources: listOf(
        nested(struct('v1.ResourceConfiguration', { resources: texts, providers: listOf(nested(provider)) })),
      ),
    }),
  ],
]);

/** The names of providers in the file, in upstream's order. */
export const PROVIDERS = ['aesgcm', 'aescbc', 'secretbox', 'identity', 'kms'] as const;
