import type { KV } from '@binnacle/kv/interface';
import type { TokenEntry } from '../authentication/index.js';
import type { StorageMediaType } from '../codec/index.js';
import type { Faults } from '../faults/index.js';
import type { Feature } from '../features/index.js';
import type { InProcessServer } from '../http/index.js';
import type { TokenKeys } from '../serviceaccounts/index.js';

/** What the API server is started with. It uses the store and does not close it. */
export interface ServerOptions {
  readonly bindAddress: string;
  /** 0 = any free port. */
  readonly securePort: number;
  /** PEM texts. */
  readonly tls: {
    readonly certificate: string;
    readonly privateKey: string;
    readonly clientCertificateAuthorities: readonly string[];
  };
  readonly tokens: readonly TokenEntry[];
  readonly serviceAccounts: ServiceAccountOptions;
  readonly kv: KV;
  /** What every key begins with, slash at its end included. Default: `/registry/`. */
  readonly storagePrefix?: string;
  /** In which encoding objects are stored; either is read. Default: JSON, which is what is served. */
  readonly storageMediaType?: StorageMediaType;
  /** One range, or an IPv4 and an IPv6 one joined by a comma. */
  readonly serviceClusterIpRange: string;
  /** As `--runtime-config`. */
  readonly runtimeConfig?: string;
  /** What `--feature-gates` has turned on. Default: nothing. */
  readonly features?: ReadonlySet<Feature>;
  /** History stays readable for this long, milliseconds; 0 = for ever. Default: five minutes. */
  readonly historyRetentionMs?: number;
  /** Events are deleted after so many whole seconds; 0 = never. Default: an hour. */
  readonly eventTtlSeconds?: number;
  /** A watch that does not say how long lasts this long, or up to twice as long; 0 = until somebody ends it. Default: 1800. */
  readonly minRequestTimeoutSeconds?: number;
  /** How long `stop` lets requests be served while the server is not ready, milliseconds. Default: 0. */
  readonly shutdownDelayMs?: number;
  /** Whether clients are answered out of memory where that can be; otherwise the store is read every time. Default: true. */
  readonly watchCache?: boolean;
  /** What the process may take, bytes. Default: most of what its cgroup has, else half of the machine. */
  readonly maxMemoryBytes?: number;
  /** Admission plugins to turn on beside those that are by default, and to turn off; names joined by commas. */
  readonly enableAdmissionPlugins?: string;
  readonly disableAdmissionPlugins?: string;
  /** What is to go wrong, for a test. Default: nothing, and nobody can make it. */
  readonly faults?: Faults;
  /** Milliseconds since the epoch. Default: the system's clock. */
  readonly now?: () => number;
  /** A clock that is never set, for deadlines and lifetimes. Default: one that starts at the time of `now`. */
  readonly steadyNow?: () => number;
  /** Told once of every failure that a client saw as 500. Default: a line on standard error. */
  readonly report?: (error: unknown, path: string) => void;
}

/** How tokens of service accounts are made and told. */
export interface ServiceAccountOptions {
  /** Asked when the first token is. */
  readonly keys: () => Promise<TokenKeys>;
  /** Who tokens are from, as URLs: the first is named in new ones, tokens of all are accepted. */
  readonly issuers: readonly [string, ...string[]];
  /** Whom tokens for this server are meant for. Default: the issuers. */
  readonly apiAudiences?: readonly string[];
  /** Where others find the public keys. Default: on this server. */
  readonly jwksUri?: string;
  /** Tokens last no longer, seconds. Default: as long as they are asked for. */
  readonly maximumTokenSeconds?: number;
  /** Whether the tokens of pods outlive what was asked for, by a year. Default: true. */
  readonly extendsTokenExpiration?: boolean;
  /** Whether a token that is kept in a Secret ends with that Secret. Default: true. */
  readonly looksUpSecrets?: boolean;
}

export interface RunningServer {
  readonly port: number;
  /** Asks the server from within its process, as whoever the request says: for what is a part of it, and need not use a socket. */
  readonly send: InProcessServer['send'];
  /** Stops accepting, lets requests finish, ends watches. Idempotent. */
  stop(): Promise<void>;
}
