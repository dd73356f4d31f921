import type { Clock, Random } from '@binnacle/apimachinery/clock';

/** PEM, as read from files. */
export interface EtcdTLSOptions {
  /** Signs the servers' certificates. Default: the certificates that Node.js trusts. */
  readonly certificateAuthority?: Uint8Array | undefined;
  /** The client certificate, used with `privateKey`. */
  readonly certificate?: Uint8Array | undefined;
  readonly privateKey?: Uint8Array | undefined;
}

export interface EtcdKVOptions {
  /**
   * `http://host:port`, `https://host:port` or `host:port`: members of one cluster. Without a scheme, `tls` decides.
   */
  readonly endpoints: readonly string[];
  readonly tls?: EtcdTLSOptions | undefined;
  /** Logs in with `password`. The user must be allowed to read `probeKey`. */
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** A key that is read, and need not exist, to learn revisions. Default: the least of all keys. */
  readonly probeKey?: string;
  /** How long a request waits for its response. Default: 10 000. */
  readonly requestTimeoutMilliseconds?: number;
  /**
   * How long, plus at most a sixth, a member may be silent before its connection is closed and its requests reject.
   * Default: 35 000, so that pings are rarer than every five seconds, which etcd tolerates by default.
   */
  readonly silenceMilliseconds?: number;
  /** How long to wait for an unreachable cluster when opening. Default: 20 000. */
  readonly connectTimeoutMilliseconds?: number;
  /** How long a lease serves further writes, at most a twentieth of its TTL. Default: 60. */
  readonly leaseReuseSeconds?: number;
  /** The maximum number of writes that one lease serves. Default: 1000. */
  readonly leaseMaxObjects?: number;
  /** Times requests and pauses, and decides how long a lease is reused. Default: the machine's clock. */
  readonly clock?: Clock;
  /** Spreads the pauses between attempts. */
  readonly random?: Random;
}
