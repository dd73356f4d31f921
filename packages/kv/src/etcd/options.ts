/** PEM, as read from files. */
export interface EtcdTLSOptions {
  /** Signs the servers' certificates. Default: the certificates that Node.js trusts. */
  readonly certificateAuthority?: Uint8Array;
  /** Of this client, with `privateKey`. */
  readonly certificate?: Uint8Array;
  readonly privateKey?: Uint8Array;
}

export interface EtcdKVOptions {
  /** `http://host:port`, `https://host:port` or `host:port`: members of one cluster. Without a scheme, `tls` decides. */
  readonly endpoints: readonly string[];
  readonly tls?: EtcdTLSOptions;
  /** With `password`: log in. What the user may read must include `probeKey`. */
  readonly user?: string;
  readonly password?: string;
  /** Is read, and need not exist, to learn revisions. Default: the least of all keys. */
  readonly probeKey?: string;
  /** After so long without an answer a request fails. Default: 10 000. */
  readonly requestTimeoutMilliseconds?: number;
  /**
   * After so long, and a sixth more at most, without a sign of life from a member its connection is given up, and what was sent
   * rejects. Default: 35 000, so that etcd, which takes a ping each five seconds by default, does not mind ours.
   */
  readonly silenceMilliseconds?: number;
  /** So long is an unreachable cluster waited for when opening. Default: 20 000. */
  readonly connectTimeoutMilliseconds?: number;
  /** A lease serves further writes for so long, at most a twentieth of its time to live. Default: 60. */
  readonly leaseReuseSeconds?: number;
  /** One lease serves at most so many writes. Default: 1000. */
  readonly leaseMaxObjects?: number;
  /** Milliseconds of a clock that never goes back; decides how long a lease is reused. Default: the process's own. */
  readonly now?: () => number;
}
