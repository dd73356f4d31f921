import { type Authenticator, type Credentials, refused, type UserInfo } from './user.js';

type Certificate = NonNullable<Credentials['certificate']>;

/**
 * Takes the user from a verified client certificate: CN is the name, each O a group. Rejects a presented certificate
 * that could not be verified. Signatures are checked once per connection, and again when the authorities change. The validity period
 * is checked per request, since a connection may outlive the certificate. `now`: milliseconds. `presented` gets the time that the
 * certificate of a request remains valid, which is negative after its end.
 * Upstream: apiserver `pkg/authentication/request/x509`.
 */
export function clientCertificateAuthenticator(
  now: () => number,
  presented: (seconds: number) => void = () => undefined,
): Authenticator {
  const users = new WeakMap<Certificate, UserInfo>();
  return {
    name: 'client-certificate',
    authenticate: ({ certificate, certificateError }) => {
      if (certificateError !== undefined) throw refused(certificateError);
      if (certificate === undefined) return undefined;
      const { commonName, validity } = certificate;
      const time = now();
      const ends = validity.map(({ notAfter }) => notAfter);
      if (ends.length > 0) presented((Math.max(...ends) - time) / 1000);
      if (!validity.some(({ notBefore, notAfter }) => notBefore <= time && time <= notAfter)) {
        throw refused('x509: certificate has expired or is not yet valid');
      }
      if (commonName === '') return undefined;
      const known = users.get(certificate);
      if (known !== undefined) return known;
      const user = userOf(certificate);
      users.set(certificate, user);
      return user;
    },
  };
}

function userOf({ commonName, organizations, uid, sha256 }: Certificate): UserInfo {
  return {
    name: commonName,
    uid: uid ?? '',
    groups: organizations,
    extra: sha256 === undefined ? {} : { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${sha256}`] },
  };
}
