import { formatTime } from '@binnacle/apimachinery/time';
import type { Pod, Secret, ServiceAccount } from '@binnacle/client/kinds/core/v1';
import { timeOf } from '../common/index.js';

const LAST_USED = 'kubernetes.io/legacy-token-last-used';
const DAY = 24 * 3_600_000;
export const INVALID_SINCE = 'kubernetes.io/legacy-token-invalid-since';
export const TOKEN_TYPE = 'kubernetes.io/service-account-token';

export interface SeenToken {
  readonly secret: Secret;
  /** The account of that name. */
  readonly account: ServiceAccount | undefined;
  /** Names of Secrets that pods of the namespace use. */
  readonly isMounted: (secret: string) => boolean;
  /** How long a token must be unused, in milliseconds. */
  readonly period: number;
  readonly now: number;
}

/** `mark`: the token becomes invalid. `delete`: it has been invalid for long. */
export type TokenPlan = 'mark' | 'delete' | undefined;

/** Only tokens that were generated for an account go: their accounts list them. */
export function planToken({ secret, account, isMounted, period, now }: SeenToken): TokenPlan {
  const { metadata, type } = secret;
  const { name = '', labels = {}, annotations = {} } = metadata;
  const since = now - period;
  const createdAt = timeOf(metadata.creationTimestamp);
  if (type !== TOKEN_TYPE || metadata.deletionTimestamp !== undefined) return undefined;
  if (createdAt === undefined || createdAt >= since) return undefined;
  const lastUsed = labels[LAST_USED];
  if (lastUsed !== undefined && (!isDate(lastUsed) || lastUsed >= dateOf(since))) return undefined;
  const uid = annotations['kubernetes.io/service-account.uid'] ?? '';
  if (account === undefined || (uid !== '' && uid !== account.metadata.uid)) return undefined;
  if (account.secrets?.some((each) => each.name === name) !== true || isMounted(name)) return undefined;
  const invalidSince = labels[INVALID_SINCE] ?? '';
  if (!isDate(invalidSince)) return 'mark';
  return invalidSince < dateOf(since) ? 'delete' : undefined;
}

/** When the uses of tokens are known, by the date since which the server tracks them; undefined for an invalid date. */
export function trackedFrom(date: string | undefined): number | undefined {
  return date !== undefined && isDate(date) ? Date.parse(`${date}T00:00:00Z`) + DAY : undefined;
}

/** `2027-01-02`, in UTC. */
export function dateOf(time: number): string {
  return formatTime(time).slice(0, '2027-01-02'.length);
}

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && timeOf(`${text}T00:00:00Z`) !== undefined;
}

const references = ['secret', 'secretRef', 'secretKeyRef', 'nodePublishSecretRef', 'imagePullSecrets'];

/** The Secrets that a pod names: rather one too many, as a Secret that is used must stay. */
export function secretsOf({ spec }: Pod): Set<string> {
  const names = new Set<string>();
  const visit = (value: unknown, isReference: boolean): void => {
    if (Array.isArray(value)) for (const each of value) visit(each, isReference);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, part] of Object.entries(value)) {
        const isName = key === 'secretName' || (key === 'name' && isReference);
        if (isName && typeof part === 'string') names.add(part);
        else visit(part, references.includes(key));
      }
    }
  };
  visit(spec, false);
  return names;
}
