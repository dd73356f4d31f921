import type { JsonObject } from '@binnacle/apimachinery/json';

/** One kubeconfig file, or several merged. Paths are absolute where the file's own path is known. Upstream: `clientcmd/api/v1`. */
export interface Kubeconfig {
  /** The files that it was read from, for error messages. */
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
  /** PEM; counts before the file. */
  readonly certificateAuthorityData: string | undefined;
  readonly proxyUrl: string | undefined;
  readonly disableCompression: boolean;
  /** What an exec plugin is told about the cluster, beside the rest. */
  readonly execConfig: JsonObject | undefined;
}

export interface User {
  readonly clientCertificate: string | undefined;
  readonly clientCertificateData: string | undefined;
  readonly clientKey: string | undefined;
  readonly clientKeyData: string | undefined;
  readonly token: string | undefined;
  /** Path of a file that is read again and again; counts before `token`. */
  readonly tokenFile: string | undefined;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly impersonate: Impersonation | undefined;
  readonly exec: ExecPlugin | undefined;
  /** Name of the auth provider that the file asks for; nobody has them any more. */
  readonly authProvider: string | undefined;
}

/** Whom requests are made as, by somebody who may do that. */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** A program that prints credentials. Upstream: `client.authentication.k8s.io`. */
export interface ExecPlugin {
  readonly apiVersion: string;
  /** A path, or a name to look for on the PATH. */
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
