import type { Impersonation } from './document.js';

/** Which server to talk to, and as whom. Only `server` is needed. */
export interface ClientConfig {
  /** `https://host:port`, perhaps with a path that all others follow. */
  readonly server: string;
  /** PEM of what the server's certificate is checked against. Default: what node trusts. */
  readonly certificateAuthority?: string | undefined;
  /** The name to ask for and to check in the server's certificate. Default: the server's host. */
  readonly tlsServerName?: string | undefined;
  /** Trust any certificate. */
  readonly insecureSkipTlsVerify?: boolean | undefined;
  /** `http://` or `https://` of a proxy that connects to the server. */
  readonly proxyUrl?: string | undefined;
  /** Ask for uncompressed answers. */
  readonly disableCompression?: boolean | undefined;
  /** PEM of a certificate, and of its key. */
  readonly clientCertificate?: string | undefined;
  readonly clientKey?: string | undefined;
  /** Bearer token. */
  readonly token?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** Credentials that change; what it gives counts before the fields above. */
  readonly credentials?: CredentialSource | undefined;
  readonly impersonate?: Impersonation | undefined;
  /** Where objects are when nothing else is said. */
  readonly namespace?: string | undefined;
}

export interface Credentials {
  readonly token?: string | undefined;
  readonly clientCertificate?: string | undefined;
  readonly clientKey?: string | undefined;
}

/** Credentials that change while the program runs. */
export interface CredentialSource {
  /** Those that count now: the same object for as long as they are the same. Asked before every request. */
  current(signal?: AbortSignal): Promise<Credentials>;
  /** The server has answered 401 to these: unless they have been replaced already, the next ones are made anew. */
  rejected(credentials: Credentials): void;
}
