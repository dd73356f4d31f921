import { StatusError, unauthorized } from '@binnacle/apimachinery/status';

/** Who makes a request. Upstream: apiserver `pkg/authentication/user`. */
export interface UserInfo {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
  /**
   * Which of the audiences that were asked about the credentials are meant for. Absent: any that the server itself
   * answers to, or nobody has asked.
   */
  readonly audiences?: readonly string[];
}

export const ALL_AUTHENTICATED = 'system:authenticated';
export const ALL_UNAUTHENTICATED = 'system:unauthenticated';

/** Who makes a request without credentials. */
export const anonymousUser: UserInfo = {
  name: 'system:anonymous',
  uid: '',
  groups: [ALL_UNAUTHENTICATED],
  extra: {},
};

/**
 * Decides who the caller is. Answers undefined when it does not recognise the credentials or finds none, so that the
 * next one is asked; throws StatusError 401 when the credentials are of its kind and wrong.
 */
export interface Authenticator {
  readonly name: string;
  authenticate(credentials: Credentials): UserInfo | undefined | Promise<UserInfo | undefined>;
}

/** A refusal whose reason only those hear of who ask whose a token is. */
export function refused(reason: string): StatusError {
  return new StatusError(unauthorized().status, { cause: reason });
}

/** Milliseconds since the epoch, both ends included. */
export interface ValidityPeriod {
  readonly notBefore: number;
  readonly notAfter: number;
}

export interface Credentials {
  /** A part of this process, which says itself who it is. */
  readonly caller?: UserInfo;
  /** Whom the token should be meant for; absent: this server. */
  readonly audiences?: readonly string[];
  /** The token of `Authorization: Bearer`, or of a WebSocket's bearer sub-protocol. */
  readonly bearerToken?: string;
  /** The verified leaf certificate of the client: PEM-independent facts. */
  readonly certificate?: {
    readonly commonName: string;
    readonly organizations: readonly string[];
    readonly uid?: string;
    /** SHA-256 of the certificate, lower-case hex. */
    readonly sha256?: string;
    /** For each chain that vouches for it, when all of the chain is valid. */
    readonly validity: readonly ValidityPeriod[];
  };
  /** Why the certificate that the client presented was not accepted. */
  readonly certificateError?: string;
}
