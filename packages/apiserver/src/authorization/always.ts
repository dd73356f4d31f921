import type { Authorizer } from './authorizer.js';

/** Allows everything. Upstream: apiserver `pkg/authorization/authorizerfactory`. */
export const allowAllAuthorizer: Authorizer = { authorize: () => ({ allowed: true, reason: '' }) };

/** Allows nothing, and leaves others their opinion. */
export const denyAllAuthorizer: Authorizer = {
  authorize: () => ({ allowed: false, reason: 'Everything is forbidden.' }),
};
