/** Who makes a request. Upstream: apiserver `pkg/authentication/user`. */
export interface UserInfo {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/**
 * Decides who the caller is. Answers undefined when it does not recognise the credentials or finds none, so that the
 * next one is asked; throws StatusError 401 when the credentials are of its kind and wrong.
 */
export interface Authenticator {
  readonly name: string;
  authenticate(credentials: Credentials): UserInfo | undefined | Promise<UserInfo | undefined>;
}

export interface Credentials {
  /** The token of `Authorization: Bearer`, or of a WebSocket's bearer sub-protocol. */
  readonly bearerToken?: string;
  /** The verified leaf certificate of the client: PEM-independent facts. */
  readonly certificate?: { readonly commonName: string; readonly organizations: readonly string[]; readonly uid?: string };
}
