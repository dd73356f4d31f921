import { timingSafeEqual } from 'node:crypto';
import { getOwn, isObject } from '@binnacle/apimachinery/json';
import { asJson, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { notFound } from '@binnacle/apimachinery/status';
import {
  type Authenticator,
  parseServiceAccountUser,
  refused,
  serviceAccountGroups,
  serviceAccountUser,
} from '../authentication/index.js';
import type { TokenSubjects } from './bindings.js';
import { decodeSecretClaims, type SecretTokenClaims } from './secret-claims.js';
import { checkAudiences, signedTokenAuthenticator } from './signed-token-authenticator.js';
import type { TokenKeys } from './signing-keys.js';

/** The issuer of these tokens in every cluster. */
const ISSUER = 'kubernetes/serviceaccount';
const INVALID_SINCE = 'kubernetes.io/legacy-token-invalid-since';
const REMEDY =
  'Use tokens from the TokenRequest API or manually created secret-based tokens, ' +
  `or remove the '${INVALID_SINCE}' label from the secret to temporarily allow use of this token`;

export interface SecretTokenOptions {
  /**
   * Audiences of which a token must name one, unless the review requests others. A token without audiences is valid for
   * these.
   */
  readonly apiAudiences: readonly string[];
  /** Called with the first such token. */
  readonly keys: () => Promise<TokenKeys>;
  readonly subjects: TokenSubjects;
  /** Whether the Secret and the account must still exist. */
  readonly looksUp: boolean;
  /**
   * Called for each use of a token that was looked up, including a rejected one that is marked invalid. Never rejects.
   */
  used(secret: Readonly<KubernetesObject>): Promise<void>;
}

/**
 * Authenticates tokens that kube-controller-manager stores in Secrets of the type
 * `kubernetes.io/service-account-token`. They are valid as long as the Secret holds them.
 * Upstream: kubernetes `pkg/serviceaccount/legacy.go`.
 */
export function secretTokenAuthenticator(options: SecretTokenOptions): Authenticator {
  return signedTokenAuthenticator<SecretTokenClaims>({
    name: 'service-account-secret',
    issuers: [ISSUER],
    keys: options.keys,
    decode: decodeSecretClaims,
    accept: async (claims, token, asked) => {
      const audiences = checkAudiences(claims.audiences, asked, options.apiAudiences);
      checkClaims(claims);
      if (options.looksUp) await checkStored(claims, token, options);
      const { namespace, accountName: name, accountUid: uid } = claims;
      const groups = serviceAccountGroups(namespace);
      const user = { name: serviceAccountUser({ namespace, name }), uid, groups, extra: {} };
      return asked === undefined ? user : { ...user, audiences };
    },
  });
}

function checkClaims({ subject, namespace, secretName, accountName, accountUid }: SecretTokenClaims): void {
  if (subject === '') throw refused('sub claim is missing');
  if (namespace === '') throw refused('namespace claim is missing');
  if (secretName === '') throw refused('secretName claim is missing');
  if (accountName === '') throw refused('serviceAccountName claim is missing');
  if (accountUid === '') throw refused('serviceAccountUID claim is missing');
  const named = parseServiceAccountUser(subject);
  if (named?.namespace !== namespace || named.name !== accountName) throw refused('sub claim is invalid');
}

async function checkStored(claims: SecretTokenClaims, token: string, options: SecretTokenOptions): Promise<void> {
  const { namespace, secretName, accountName, accountUid } = claims;
  // The claims do not contain the Secret's uid, so a cached Secret may be an older one of the same name.
  const secret = await options.subjects.find('secrets', namespace, secretName, '');
  if (secret === undefined || secret.metadata.deletionTimestamp !== undefined) {
    throw refused('Token has been invalidated');
  }
  if (!holds(secret, token)) throw refused("Token does not match server's copy");

  const account = await options.subjects.find('serviceaccounts', namespace, accountName, accountUid);
  if (account === undefined) throw refused(notFound({ group: '', resource: 'serviceaccounts' }, accountName).message);
  const { deletionTimestamp, uid } = account.metadata;
  if (deletionTimestamp !== undefined) throw refused(`ServiceAccount ${namespace}/${accountName} has been deleted`);
  if (uid !== accountUid) throw refused(`ServiceAccount UID (${uid}) does not match claim (${accountUid})`);

  await options.used(secret);
  if ((secret.metadata.labels?.[INVALID_SINCE] ?? '') !== '') {
    const which = `the token in secret ${namespace}/${secretName} for service account ${namespace}/${accountName}`;
    throw refused(`${which} has been marked invalid. ${REMEDY}`);
  }
}

function holds(secret: Readonly<KubernetesObject>, token: string): boolean {
  const data = getOwn(asJson(secret), 'data');
  const text = isObject(data) ? getOwn(data, 'token') : undefined;
  if (typeof text !== 'string') return false;
  const held = Buffer.from(text, 'base64');
  const shown = Buffer.from(token);
  return held.length === shown.length && timingSafeEqual(held, shown);
}
