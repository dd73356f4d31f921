import { decodeHeaderKey } from './header-text.js';
import { type Authenticator, refused, type UserInfo } from './user.js';

/** Made once, because every request with an ordinary client certificate meets it: a stack trace costs more than the rest of authentication. */
const unknownAuthority = refused('x509: certificate signed by unknown authority');

/** The front proxies that may name a user in headers. Header names and prefixes are lower-case. */
export interface RequestHeaderOptions {
  /** Common names of proxies. Empty: every certificate of the proxies' authorities. */
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

/**
 * Takes the user from the headers of a front proxy, which a client certificate of the proxies' own authorities proves.
 * `now`: milliseconds.
 * Upstream: apiserver `pkg/authentication/request/headerrequest`.
 */
export function requestHeaderAuthenticator(options: RequestHeaderOptions, now: () => number): Authenticator {
  return {
    name: 'request-header',
    authenticate: ({ frontProxy, certificate: client }) => {
      if (frontProxy === undefined) {
        // Another authenticator may accept the certificate. If none does, the client is not anonymous.
        if (client !== undefined) throw unknownAuthority;
        return undefined;
      }
      const { certificate, headerNames } = frontProxy;
      const headerValues = (name: string): readonly string[] => frontProxy.headerValues(name);
      const time = now();
      if (!certificate.validity.some(({ notBefore, notAfter }) => notBefore <= time && time <= notAfter)) {
        throw refused('x509: certificate has expired or is not yet valid');
      }
      const { commonName } = certificate;
      if (options.allowedNames.length > 0 && !options.allowedNames.includes(commonName)) {
        throw refused(`x509: subject with cn=${commonName} is not in the allowed list`);
      }
      const first = (names: readonly string[]): string =>
        names.map((name) => headerValues(name)[0] ?? '').find((value) => value !== '') ?? '';
      const name = first(options.usernameHeaders);
      if (name === '') return undefined;
      return {
        name,
        uid: first(options.uidHeaders),
        groups: options.groupHeaders.flatMap((header) => headerValues(header)).filter((group) => group !== ''),
        extra: extraOf(options.extraHeaderPrefixes, headerNames, headerValues),
      };
    },
  };
}

function extraOf(
  prefixes: readonly string[],
  headerNames: readonly string[],
  headerValues: (name: string) => readonly string[],
): UserInfo['extra'] {
  const extra = new Map<string, string[]>();
  for (const prefix of prefixes) {
    for (const name of headerNames) {
      if (!name.startsWith(prefix)) continue;
      const key = decodeHeaderKey(name.slice(prefix.length));
      const values = extra.get(key) ?? [];
      extra.set(key, values);
      for (const value of headerValues(name)) values.push(value);
    }
  }
  return Object.fromEntries(extra);
}
