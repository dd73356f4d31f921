import type { AuthorizationCheck } from '@binnacle/apimachinery/admission-expressions';
import { messageOf } from '@binnacle/apimachinery/errors';
import type { AuthorizeExpression } from '../../admission/index.js';
import { serviceAccountGroups, serviceAccountUser, type UserInfo } from '../../authentication/index.js';
import type { AuthorizationAttributes, Authorizer } from '../../authorization/index.js';

/** Answers the authorization checks of expressions. A check that fails is an answer with an error. */
export function expressionAuthorizer(authorizer: Authorizer): AuthorizeExpression {
  return async (user, check) => {
    try {
      const { allowed, reason, error } = await authorizer.authorize(attributesOf(user, check));
      return { allowed, reason, ...(error === undefined ? {} : { error }) };
    } catch (error) {
      return { allowed: false, reason: '', error: messageOf(error) };
    }
  };
}

function attributesOf(requester: UserInfo, check: AuthorizationCheck): AuthorizationAttributes {
  const { serviceAccount, path, verb, group, resource, subresource, namespace, name, fieldSelector } = check;
  const user = serviceAccount === undefined ? requester : accountUser(serviceAccount);
  const isResourceRequest = path === undefined;
  const version = isResourceRequest ? '*' : '';
  const place = { group, version, resource, subresource, namespace, name, fieldSelector };
  return { ...place, user, verb, isResourceRequest, path: path ?? '' };
}

/** A service account, without the group of all users that a token adds. Upstream: `serviceaccount.ServiceAccountInfo`. */
function accountUser(account: { readonly namespace: string; readonly name: string }): UserInfo {
  const groups = serviceAccountGroups(account.namespace);
  return { name: serviceAccountUser(account), uid: '', groups, extra: {} };
}
