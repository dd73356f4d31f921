import type { ServedSet } from '@binnacle/api/table';
import type { Clock, Random } from '@binnacle/apimachinery/clock';
import type { MetricRegistry } from '@binnacle/apimachinery/metrics';
import type { KV } from '@binnacle/kv';
import type { Retries } from '../admission/index.js';
import type { Authorizer } from '../authorization/index.js';
import type { DocumentMediaType, StorageMediaType } from '../codec/index.js';
import type { Egress } from '../egress/index.js';
import type { Encryption } from '../encryption/index.js';
import type { Faults } from '../faults/index.js';
import type { UserHeaders } from '../proxying/index.js';
import type { TokenIssuingOptions } from '../reviews/index.js';
import type { KubeletOptions } from './kubelet-options.js';
import type { AuthorizationOptions } from './options.js';
import type { AdmissionOptions } from './plugins/create-plugins.js';
import type { RemoteServices } from './remote-services.js';

export interface ResourceApiOptions {
  readonly kv: KV;
  /** Encrypts stored values. Default: they are stored as they are. */
  readonly encryption?: Pick<Encryption, 'storeOf'> | undefined;
  /** The prefix of every key: `/registry/`. */
  readonly storagePrefix: string;
  /** The encoding of stored objects. Default: JSON. */
  readonly storageMediaType?: StorageMediaType | undefined;
  /** The encoding of stored custom resources. Default: JSON. */
  readonly customStorageMediaType?: DocumentMediaType;
  readonly served: ServedSet;
  readonly serviceClusterIpRange: string;
  readonly clock: Clock;
  readonly random: Random;
  /** 0 = events do not expire. */
  readonly eventTtlSeconds: number;
  /** Whether reads use the caches. */
  readonly watchCache: boolean;
  /** Whether pods may have privileged containers. Default: true. */
  readonly allowPrivileged?: boolean | undefined;
  /** 0 = watches have no timeout by default. */
  readonly minRequestTimeoutSeconds: number;
  readonly admission?: AdmissionOptions;
  /** The pauses and the random source of admission retries. Default: those of the server. */
  readonly retries?: Retries;
  /** How service account tokens are issued; absent: they are not. */
  readonly tokens?: TokenIssuingOptions;
  /** The addresses that the server may call. */
  readonly egress: Egress;
  /** How to find and trust kubelets. Default: upstream's, without a client certificate. */
  readonly kubelets?: KubeletOptions | undefined;
  /** The headers in which front proxies name users. Default: none. */
  readonly userHeaders?: UserHeaders | undefined;
  /** Decides about rights instead of the stored roles. */
  readonly delegation?: Authorizer | undefined;
  /** The authorizers, and the policies of ABAC. Default: Node and RBAC. */
  readonly authorization?: AuthorizationOptions | undefined;
  /** Opens the remote services that authorizers and admission plugins ask. Default: new ones. */
  readonly remoteServices?: RemoteServices | undefined;
  /** Whether to connect to the endpoints of a Service rather than to its cluster IP. Default: true. */
  readonly aggregatorRouting?: boolean | undefined;
  readonly metrics: MetricRegistry;
  readonly faults?: Faults | undefined;
  /** Receives failures of background work. */
  readonly report?: (error: unknown, what: string) => void;
}
