import { serviceAccountGroups, serviceAccountUser, type UserInfo } from '../authentication/index.js';
import type { TokenClaims } from './claims.js';

const PREFIX = 'authentication.kubernetes.io/';

/** The user of a token. Upstream: apiserver `pkg/authentication/serviceaccount` ServiceAccountInfo. */
export function userOf({ namespace, serviceAccount, id, pod, node }: TokenClaims): UserInfo {
  const extra: Record<string, readonly string[]> = {};
  if (id !== '') extra[`${PREFIX}credential-id`] = [`JTI=${id}`];
  if (node !== undefined && node.name !== '') {
    extra[`${PREFIX}node-name`] = [node.name];
    if (node.uid !== '') extra[`${PREFIX}node-uid`] = [node.uid];
  }
  if (pod !== undefined && pod.name !== '' && pod.uid !== '') {
    extra[`${PREFIX}pod-name`] = [pod.name];
    extra[`${PREFIX}pod-uid`] = [pod.uid];
  }
  return {
    name: serviceAccountUser({ namespace, name: serviceAccount.name }),
    uid: serviceAccount.uid,
    groups: serviceAccountGroups(namespace),
    extra,
  };
}
