import type { RunningServer, ServerOptions } from '@binnacle/apiserver/server';
import type { KV } from '@binnacle/kv/interface';

/** What a server is put together from; tests give their own. */
export interface Parts {
  /** The store in this directory, or, without one, in memory. */
  openStore(directory: string | undefined): Promise<KV>;
  startServer(options: ServerOptions): Promise<RunningServer>;
}
