import type { Authorizer } from './authorizer.js';

/** Allows everything. Upstream: apiserver `pkg/authorization/authorizerfactory`. */
export const allowAllAuthorizer: Authorizer = { authorize: () => ({ allowed: true, reason: '' }) };

/** Has no opinion on any request, so other authorizers decide. */
export const denyAllAuthorizer: Authorizer = {
  authorize: () => ({ allowed: false, reason: 'Everything is forbidden.' }),
};
