import { StatusError, unauthorized } from '@binnacle/apimachinery/status';

/** The user of a request. Upstream: apiserver `pkg/authentication/user`. */
export interface UserInfo {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
  /**
   * The audiences, among those requested, for which the credentials are valid. Absent: valid for the server itself, or
   * the caller requested none.
   */
  readonly audiences?: readonly string[];
}

export const ALL_AUTHENTICATED = 'system:authenticated';
export const ALL_UNAUTHENTICATED = 'system:unauthenticated';

/** The user of a request without credentials. */
export const anonymousUser: UserInfo = {
  name: 'system:anonymous',
  uid: '',
  groups: [ALL_UNAUTHENTICATED],
  extra: {},
};

/**
 * Finds the user of a request. Returns undefined when it does not recognise the credentials or finds none, so that the
 * next authenticator tries. Throws StatusError 401 when the credentials are of its kind and wrong.
 */
export interface Authenticator {
  readonly name: string;
  authenticate(credentials: Credentials): UserInfo | undefined | Promise<UserInfo | undefined>;
}

/** A 401 whose reason only a TokenReview shows. */
export function refused(reason: string): StatusError {
  return new StatusError(unauthorized().status, { cause: reason });
}

/** Milliseconds since the epoch, both ends included. */
export interface ValidityPeriod {
  readonly notBefore: number;
  readonly notAfter: number;
}

/** What authentication says of a request that it accepts or refuses. */
export interface AuthenticationNotes {
  /** Adds an annotation to the audit events. */
  annotate(key: string, value: string): void;
  /** Adds a `Warning` header to the answer. */
  warn(text: string): void;
}

export interface Credentials {
  /** The path of the request. Absent: there is no request. */
  readonly path?: string;
  /** The user that an in-process caller declares. */
  readonly caller?: UserInfo;
  /** The audiences that the token must be meant for. Absent: this server. */
  readonly audiences?: readonly string[];
  /** The token of `Authorization: Bearer`, or of a WebSocket's bearer sub-protocol. */
  readonly bearerToken?: string;
  /** Facts about the verified leaf certificate of the client. */
  readonly certificate?: {
    readonly commonName: string;
    readonly organizations: readonly string[];
    readonly uid?: string;
    /** SHA-256 of the certificate, lower-case hex. */
    readonly sha256?: string;
    /** One period per chain that verifies the certificate: the time in which the whole chain is valid. */
    readonly validity: readonly ValidityPeriod[];
  };
  /** Set when the client proves that it is a front proxy. It may name the user in its headers. */
  readonly frontProxy?: {
    readonly certificate: Pick<NonNullable<Credentials['certificate']>, 'commonName' | 'validity'>;
    /** Lower-case. */
    readonly headerNames: readonly string[];
    headerValues(name: string): readonly string[];
  };
  /** Absent: there is no request. */
  readonly notes?: AuthenticationNotes;
  /** Why the certificate that the client presented failed verification. */
  readonly certificateError?: string;
}
