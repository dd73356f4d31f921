import type { AudienceAuthorizer, OwnerRights, SignerAuthorizer } from '../../admission/index.js';
import type { AuthorizationAttributes, Authorizer } from '../../authorization/index.js';
import type { FindKind } from '../sources/index.js';

const ABOUT_A_RESOURCE = { isResourceRequest: true, namespace: '', subresource: '', path: '' } as const;

/** The authorization questions of plugins, about resources that are not stored. */
export function admissionAuthorizer(authorizer: Authorizer): SignerAuthorizer & AudienceAuthorizer {
  const allows = async (asked: Omit<AuthorizationAttributes, keyof typeof ABOUT_A_RESOURCE> & { namespace?: string }) =>
    (await authorizer.authorize({ ...ABOUT_A_RESOURCE, ...asked })).allowed;
  return {
    /** Upstream: `plugin/pkg/admission/certificates` IsAuthorizedForSignerName. */
    maySign: (user, verb, name) =>
      allows({ user, verb, group: 'certificates.k8s.io', version: '*', resource: 'signers', name }),
    /**
     * The audience is in the place of the resource. Upstream: `plugin/pkg/admission/noderestriction`
     * validateNodeServiceAccountAudience.
     */
    mayRequestAudience: (user, audience, account) =>
      allows({
        ...account,
        user,
        verb: 'request-serviceaccounts-token-audience',
        group: '',
        version: 'v1',
        resource: audience,
      }),
  };
}

/** The authorization questions of OwnerReferencesPermissionEnforcement. */
export function ownerRights(authorizer: Authorizer, findKind: FindKind): OwnerRights {
  return {
    async denial(user, { resource, ...right }) {
      const decision = await authorizer.authorize({ ...ABOUT_A_RESOURCE, user, ...resource, ...right });
      return decision.allowed ? undefined : `${decision.reason}, ${decision.error ?? '<nil>'}`;
    },
    /** Upstream: `plugin/pkg/admission/gc` finalizeAnythingRecord. */
    async mayFinalizeAll(user) {
      const anything = { group: '*', version: '*', resource: '*', subresource: 'finalizers', name: '*' };
      return (await authorizer.authorize({ ...ABOUT_A_RESOURCE, ...anything, user, verb: 'update' })).allowed;
    },
    resourceOf(kind) {
      const endpoint = findKind(kind);
      return endpoint && { resource: endpoint.resource, namespaced: endpoint.namespaced };
    },
  };
}
