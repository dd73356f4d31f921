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
import { noteAudiences, type TokenUsed } from './token-use.js';
import { checkAudiences, type GivenToken, signedTokenAuthenticator } from './signed-token-authenticator.js';
import type { TokenKeys } from './signing-keys.js';

/** The issuer of these tokens in every cluster. */
const ISSUER = 'kubernetes/serviceaccount';
const INVALID_SINCE = 'kubernetes.io/legacy-token-invalid-since';
const AUTO_GENERATED =
  'Use tokens from the TokenRequest API or manually created secret-based tokens instead of auto-generated secret-based tokens.';
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
  secretUsed(secret: Readonly<KubernetesObject>): Promise<void>;
  readonly used: TokenUsed;
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
    accept: async (claims, given) => {
      const asked = given.audiences;
      noteAudiences(claims, given, options.used);
      const audiences = checkAudiences(claims.audiences, asked, options.apiAudiences);
      checkClaims(claims);
      if (options.looksUp) await checkStored(claims, given, options);
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

async function checkStored(claims: SecretTokenClaims, given: GivenToken, options: SecretTokenOptions): Promise<void> {
  const { namespace, secretName, accountName, accountUid } = claims;
  // The claims do not contain the Secret's uid, so a cached Secret may be an older one of the same name.
  const secret = await options.subjects.find('secrets', namespace, secretName, '');
  if (secret === undefined || secret.metadata.deletionTimestamp !== undefined) {
    throw refused('Token has been invalidated');
  }
  if (!holds(secret, given.token)) throw refused("Token does not match server's copy");

  const account = await options.subjects.find('serviceaccounts', namespace, accountName, accountUid);
  if (account === undefined) throw refused(notFound({ group: '', resource: 'serviceaccounts' }, accountName).message);
  const { deletionTimestamp, uid } = account.metadata;
  if (deletionTimestamp !== undefined) throw refused(`ServiceAccount ${namespace}/${accountName} has been deleted`);
  if (uid !== accountUid) throw refused(`ServiceAccount UID (${uid}) does not match claim (${accountUid})`);

  await options.secretUsed(secret);
  noteSecret(claims, secret, account, given, options.used);
  if (isInvalid(secret)) {
    const which = `the token in secret ${namespace}/${secretName} for service account ${namespace}/${accountName}`;
    throw refused(`${which} has been marked invalid. ${REMEDY}`);
  }
}

/** Says how the Secret came to be, because clients should not use those of earlier releases. */
function noteSecret(
  { namespace, secretName }: SecretTokenClaims,
  secret: Readonly<KubernetesObject>,
  account: Readonly<KubernetesObject>,
  { notes }: GivenToken,
  used: TokenUsed,
): void {
  if (isInvalid(secret)) {
    notes?.annotate('authentication.k8s.io/legacy-token-invalidated', `${secretName}/${namespace}`);
    used('invalidated');
  } else if (lists(account, secretName)) {
    notes?.warn(AUTO_GENERATED);
    notes?.annotate('authentication.k8s.io/legacy-token-autogenerated-secret', secretName);
    used('autoGenerated');
  } else {
    notes?.annotate('authentication.k8s.io/legacy-token-manual-secret', secretName);
    used('manual');
  }
}

const isInvalid = ({ metadata }: Readonly<KubernetesObject>): boolean =>
  (metadata.labels?.[INVALID_SINCE] ?? '') !== '';

function lists(account: Readonly<KubernetesObject>, secretName: string): boolean {
  const secrets = getOwn(asJson(account), 'secrets');
  return (
    Array.isArray(secrets) &&
    secrets.some((reference) => isObject(reference) && getOwn(reference, 'name') === secretName)
  );
}

function holds(secret: Readonly<KubernetesObject>, token: string): boolean {
  const data = getOwn(asJson(secret), 'data');
  const text = isObject(data) ? getOwn(data, 'token') : undefined;
  if (typeof text !== 'string') return false;
  const held = Buffer.from(text, 'base64');
  const shown = Buffer.from(token);
  return held.length === shown.length && timingSafeEqual(held, shown);
}
