import type { SignerAuthorizer } from '../admission/index.js';
import type { Authorizer } from '../authorization/index.js';

/** Signers are resources that nobody stores. Upstream: `plugin/pkg/admission/certificates` IsAuthorizedForSignerName. */
export function signerAuthorizer(authorizer: Authorizer): SignerAuthorizer {
  return {
    async maySign(user, verb, signerName) {
      const decision = await authorizer.authorize({
        user,
        verb,
        isResourceRequest: true,
        namespace: '',
        group: 'certificates.k8s.io',
        version: '*',
        resource: 'signers',
        subresource: '',
        name: signerName,
        path: '',
      });
      return decision.allowed;
    },
  };
}
