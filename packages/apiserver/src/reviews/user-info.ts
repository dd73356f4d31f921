import type { UserInfo as UserInfoFields } from '@binnacle/api/types/authentication-v1';
import { formatTime } from '@binnacle/apimachinery/time';
import type { UserInfo } from '../authentication/index.js';
import type { Reviewer } from './review.js';

/** Returns the caller's user. Upstream: kubernetes `pkg/registry/authentication/selfsubjectreview`. */
export function selfSubjectReviewer(now: () => number): Reviewer {
  return ({ apiVersion, kind }, { user }) => ({
    apiVersion,
    kind,
    metadata: { creationTimestamp: formatTime(now()) },
    status: { userInfo: userInfoOf(user) },
  });
}

export function userInfoOf({ name, uid, groups, extra }: UserInfo): UserInfoFields {
  const copied = Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]]));
  return { username: name, uid, groups: [...groups], extra: copied };
}
