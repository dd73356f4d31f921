import type { JsonObject } from '@binnacle/apimachinery/json';

/** A kubeconfig file, or several merged. Paths are absolute if the file's path is known. Upstream: `clientcmd/api/v1`. */
export interface Kubeconfig {
  /** The source files, for error messages. */
  readonly origins: readonly string[];
  readonly clusters: ReadonlyMap<string, Cluster>;
  readonly users: ReadonlyMap<string, User>;
  readonly contexts: ReadonlyMap<string, Context>;
  readonly currentContext: string | undefined;
}

export interface Cluster {
  readonly server: string | undefined;
  readonly tlsServerName: string | undefined;
  readonly insecureSkipTlsVerify: boolean;
  /** Path of a PEM file. */
  readonly certificateAuthority: string | undefined;
  /** PEM; takes precedence over the file. */
  readonly certificateAuthorityData: string | undefined;
  readonly proxyUrl: string | undefined;
  readonly disableCompression: boolean;
  /** Additional cluster information for exec plugins. */
  readonly execConfig: JsonObject | undefined;
}

export interface User {
  readonly clientCertificate: string | undefined;
  readonly clientCertificateData: string | undefined;
  readonly clientKey: string | undefined;
  readonly clientKeyData: string | undefined;
  readonly token: string | undefined;
  /** Path of a token file, which is re-read periodically. Takes precedence over `token`. */
  readonly tokenFile: string | undefined;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly impersonate: Impersonation | undefined;
  readonly exec: ExecPlugin | undefined;
  /** The name of an auth provider, which clients no longer support. */
  readonly authProvider: string | undefined;
}

/** The user to impersonate. */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** A program that prints credentials. Upstream: `client.authentication.k8s.io`. */
export interface ExecPlugin {
  readonly apiVersion: string;
  /** A path, or a name that is searched on the PATH. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly installHint: string | undefined;
  readonly provideClusterInfo: boolean;
  readonly interactiveMode: 'Never' | 'IfAvailable' | 'Always';
}

export interface Context {
  readonly cluster: string;
  readonly user: string;
  readonly namespace: string | undefined;
}
