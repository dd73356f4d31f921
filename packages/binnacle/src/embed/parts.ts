import type { Clock, Random } from '@binnacle/apimachinery/clock';
import type { RunningServer, ServerOptions } from '@binnacle/apiserver';
import type { LineTarget } from '@binnacle/apiserver/audit';
import type { ManagerOptions } from '@binnacle/controllers';
import type { EtcdKVOptions } from '@binnacle/kv/etcd';
import type { NodesOptions } from '@binnacle/nodes';
import type { SchedulerOptions } from '@binnacle/scheduler/loop';
import type { KV } from '@binnacle/kv';
import type { CredentialSources, ServerCredentials } from './credentials.js';

/** The store that holds the objects. */
export type StoreLocation =
  | { readonly type: 'memory' }
  | { readonly type: 'embedded'; readonly directory: string }
  | { readonly type: 'etcd'; readonly options: EtcdKVOptions };

/** The clock and the random source of a server's components. */
export interface Sources {
  readonly clock: Clock;
  readonly random: Random;
}

/** The components of a server, which tests replace. */
export interface Parts extends Sources {
  /** Whether the store is a fork of the store of a server that has started. Default: false. */
  readonly isFork?: boolean;
  /** The server accepts these, besides its own. */
  readonly parentCredentials?: ServerCredentials | undefined;
  /** Default: {@link makeCredentials}. */
  readonly credentials?: (sources: CredentialSources) => Promise<ServerCredentials>;
  /**
   * Whether this server is a worker of another process, which owns the store, writes the files and runs the control loops.
   * Default: false.
   */
  readonly isWorker?: boolean;
  /** Gets the lines of the audit log, instead of the file. */
  readonly auditTarget?: LineTarget | undefined;
  /** Gets each line of the server's log. Default: standard error. */
  readonly writeLog?: ((line: string) => void) | undefined;
  openStore(location: StoreLocation, sources: Sources): Promise<KV>;
  startServer(options: ServerOptions): Promise<RunningServer>;
  /** Runs control loops until the signal aborts and their work in progress has ended. */
  runLoops(options: ManagerOptions, signal: AbortSignal): Promise<void>;
  /** Runs a scheduler until the signal aborts and its writes have ended. */
  runScheduler(options: SchedulerOptions, signal: AbortSignal): Promise<void>;
  /** Runs simulated nodes until the signal aborts and their writes have ended. */
  runNodes(options: NodesOptions, signal: AbortSignal): Promise<void>;
}
