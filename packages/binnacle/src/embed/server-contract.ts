import type { KV } from '@binnacle/kv/interface';

/** A static token and whose it is. */
export interface TokenEntry {
  readonly token: string;
  readonly user: string;
  readonly uid: string;
  readonly groups: readonly string[];
}

/** What the API server is started with. It uses the store and does not close it. */
export interface ServerOptions {
  readonly bindAddress: string;
  readonly securePort: number;
  /** PEM texts. */
  readonly tls: {
    readonly certificate: string;
    readonly privateKey: string;
    readonly clientCertificateAuthorities: readonly string[];
  };
  readonly tokens: readonly TokenEntry[];
  readonly kv: KV;
  readonly serviceClusterIpRange: string;
  readonly runtimeConfig?: string;
}

export interface RunningServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** What `start` is put together from; tests give their own. */
export interface Parts {
  openStore(directory: string | undefined): Promise<KV>;
  startServer(options: ServerOptions): Promise<RunningServer>;
}
