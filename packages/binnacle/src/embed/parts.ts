import type { RunningServer, ServerOptions } from '@binnacle/apiserver/server';
import type { ManagerOptions } from '@binnacle/controllers/manager';
import type { EtcdKVOptions } from '@binnacle/kv/etcd';
import type { KV } from '@binnacle/kv/interface';
import type { CredentialSources, ServerCredentials } from './credentials.js';

/** Where objects are kept. */
export type StoreLocation =
  | { readonly type: 'memory' }
  | { readonly type: 'embedded'; readonly directory: string }
  | { readonly type: 'etcd'; readonly options: EtcdKVOptions };

/** The parts that a server is made of; tests replace them. */
export interface Parts {
  /** Default: {@link makeCredentials}. */
  readonly credentials?: (sources: CredentialSources) => Promise<ServerCredentials>;
  openStore(location: StoreLocation): Promise<KV>;
  startServer(options: ServerOptions): Promise<RunningServer>;
  /** Runs control loops until the signal fires and their work in progress has ended. */
  runLoops(options: ManagerOptions, signal: AbortSignal): Promise<void>;
}
