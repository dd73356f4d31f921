import { unauthorized } from '@binnacle/apimachinery/status';
import type { Authenticator } from './user.js';

/**
 * Takes the user from a verified client certificate: CN is the name, each O a group. Refuses a certificate that was
 * presented and could not be verified.
 * Upstream: apiserver `pkg/authentication/request/x509`.
 */
export const clientCertificateAuthenticator: Authenticator = {
  name: 'client-certificate',
  authenticate: ({ certificate, certificateError }) => {
    if (certificateError !== undefined) throw unauthorized();
    if (certificate === undefined || certificate.commonName === '') return undefined;
    const { commonName, organizations, uid, sha256 } = certificate;
    return {
      name: commonName,
      uid: uid ?? '',
      groups: organizations,
      extra: sha256 === undefined ? {} : { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${sha256}`] },
    };
  },
};
