import type { Impersonation } from './document.js';

/** The server and the credentials of a client. Only `server` is required. */
export interface ClientConfig {
  /** `https://host:port`, with an optional path prefix. */
  readonly server: string;
  /** PEM bundle that verifies the server's certificate. Default: the CAs that Node trusts. */
  readonly certificateAuthority?: string | undefined;
  /** The name for SNI and for verifying the server's certificate. Default: the server's host. */
  readonly tlsServerName?: string | undefined;
  /** Accept any server certificate. */
  readonly insecureSkipTlsVerify?: boolean | undefined;
  /** URL of an HTTP proxy (CONNECT), `http://` or `https://`. */
  readonly proxyUrl?: string | undefined;
  /** Request uncompressed responses. */
  readonly disableCompression?: boolean | undefined;
  /** PEM of the client certificate and its key. */
  readonly clientCertificate?: string | undefined;
  readonly clientKey?: string | undefined;
  /** Bearer token. */
  readonly token?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** Credentials that change. They take precedence over the fields above. */
  readonly credentials?: CredentialSource | undefined;
  readonly impersonate?: Impersonation | undefined;
  /** The default namespace. */
  readonly namespace?: string | undefined;
}

export interface Credentials {
  readonly token?: string | undefined;
  readonly clientCertificate?: string | undefined;
  readonly clientKey?: string | undefined;
}

/** A source of credentials that change while the program runs. */
export interface CredentialSource {
  /** The current credentials: the same object as long as they do not change. Called before every request. */
  current(signal?: AbortSignal): Promise<Credentials>;
  /** The server answered 401 to these. If they are still current, the next call of `current` renews them. */
  rejected(credentials: Credentials): void;
}
