import { isAbsolute } from 'node:path';
import { type CompiledExpression, isCompiled } from '@binnacle/apimachinery/admission-expressions';
import { messageOf } from '@binnacle/apimachinery/errors';
import {
  duplicate,
  type FieldError,
  internalFieldError,
  invalidValue,
  notSupported,
  required,
  tooMany,
} from '@binnacle/apimachinery/status';
import { formatDuration, parseDuration } from '@binnacle/apimachinery/time';
import type { AccessWebhook } from '../reviewwebhooks/index.js';
import type { RemoteServiceConfig } from '../webhooks/index.js';
import type { ConnectionInfo, WebhookEntry } from './configuration.js';
import { compileCondition, MatchConditions } from './match-conditions.js';

/** Reads the kubeconfig of a service; rejects with an Error that says what is wrong. */
export type LoadService = (path: string) => Promise<RemoteServiceConfig>;

/** Upstream: apiserver `pkg/apis/apiserver/v1/defaults.go`. */
const AUTHORIZED_MS = 5 * 60_000;
const UNAUTHORIZED_MS = 30_000;
const LONGEST_TIMEOUT_MS = 30_000;
const MOST_CONDITIONS = 64;
const IN_CLUSTER = 'InClusterConfig';
const KUBECONFIG_FILE = 'KubeConfigFile';

/**
 * Reads the entry of a webhook and adds its faults to `errors`; undefined if it has some.
 * Upstream: apiserver `pkg/apis/apiserver/validation` ValidateWebhookConfiguration.
 */
export async function readWebhook(
  entry: WebhookEntry,
  path: string,
  load: LoadService,
  errors: FieldError[],
): Promise<AccessWebhook | undefined> {
  const before = errors.length;
  const timeoutMs = readTimeout(entry.timeout, `${path}.timeout`, errors);
  const authorizedMs = readLifetime(entry.authorizedTTL, AUTHORIZED_MS, `${path}.authorizedTTL`, errors);
  const unauthorizedMs = readLifetime(entry.unauthorizedTTL, UNAUTHORIZED_MS, `${path}.unauthorizedTTL`, errors);
  const version = entry.subjectAccessReviewVersion ?? '';
  errors.push(
    ...oneOf(version, ['v1', 'v1beta1'], `${path}.subjectAccessReviewVersion`),
    ...conditionVersion(entry, path),
    ...oneOf(entry.failurePolicy ?? '', ['NoOpinion', 'Deny'], `${path}.failurePolicy`),
  );
  const service = await readConnection(entry.connectionInfo ?? {}, `${path}.connectionInfo`, load, errors);
  const conditions = readConditions(entry, `${path}.matchConditions`, errors);
  if (errors.length > before || service === undefined) return undefined;
  return {
    service,
    version: version === 'v1' ? 'v1' : 'v1beta1',
    timeoutMs,
    authorizedMs: entry.cacheAuthorizedRequests === false ? 0 : authorizedMs,
    unauthorizedMs: entry.cacheUnauthorizedRequests === false ? 0 : unauthorizedMs,
    deniesOnFailure: entry.failurePolicy === 'Deny',
    conditions: conditions.length === 0 ? undefined : new MatchConditions(conditions),
  };
}

const millisecondsOf = (text = '0s'): number => Number(parseDuration(text)) / 1e6;
const shown = (milliseconds: number): string => formatDuration(BigInt(Math.round(milliseconds * 1e6)));

function readTimeout(text: string | undefined, path: string, errors: FieldError[]): number {
  const milliseconds = millisecondsOf(text);
  if (milliseconds === 0) errors.push(required(path, ''));
  else if (milliseconds < 0 || milliseconds > LONGEST_TIMEOUT_MS) {
    errors.push(invalidValue(path, shown(milliseconds), 'must be > 0s and <= 30s'));
  }
  return milliseconds;
}

function readLifetime(text: string | undefined, fallback: number, path: string, errors: FieldError[]): number {
  const milliseconds = millisecondsOf(text) || fallback;
  if (milliseconds < 0) errors.push(invalidValue(path, shown(milliseconds), 'must be > 0s'));
  return milliseconds;
}

function oneOf(value: string, supported: readonly string[], path: string): FieldError[] {
  if (value === '') return [required(path, '')];
  return supported.includes(value) ? [] : [notSupported(path, value, supported)];
}

function conditionVersion(
  { matchConditionSubjectAccessReviewVersion: version = '', matchConditions = [] }: WebhookEntry,
  path: string,
): FieldError[] {
  const field = `${path}.matchConditionSubjectAccessReviewVersion`;
  if (version !== '') return version === 'v1' ? [] : [notSupported(field, version, ['v1'])];
  return matchConditions.length > 0 ? [required(field, 'required if match conditions are specified')] : [];
}

async function readConnection(
  { type = '', kubeConfigFile }: ConnectionInfo,
  path: string,
  load: LoadService,
  errors: FieldError[],
): Promise<RemoteServiceConfig | undefined> {
  const file = `${path}.kubeConfigFile`;
  if (type === '') errors.push(required(`${path}.type`, ''));
  else if (type === IN_CLUSTER) errors.push(invalidValue(`${path}.type`, type, 'InClusterConfig is not supported'));
  else if (type !== KUBECONFIG_FILE) errors.push(notSupported(`${path}.type`, type, [IN_CLUSTER, KUBECONFIG_FILE]));
  else if ((kubeConfigFile ?? '') === '') errors.push(required(file, ''));
  else if (!isAbsolute(kubeConfigFile ?? '')) {
    errors.push(invalidValue(file, kubeConfigFile, 'must be an absolute path'));
  } else {
    try {
      return await load(kubeConfigFile ?? '');
    } catch (error) {
      const reason = messageOf(error);
      errors.push(invalidValue(file, kubeConfigFile, `error loading file: ${reason}`));
    }
  }
  return undefined;
}

function readConditions(
  { matchConditions = [] }: WebhookEntry,
  path: string,
  errors: FieldError[],
): readonly CompiledExpression[] {
  if (matchConditions.length > MOST_CONDITIONS) {
    errors.push(tooMany(path, matchConditions.length, MOST_CONDITIONS));
    return [];
  }
  const seen = new Set<string>();
  return matchConditions.flatMap(({ expression = '' }, index) => {
    const field = `${path}[${index}].expression`;
    if (expression.trim() === '') errors.push(required(field, ''));
    else if (seen.has(expression)) errors.push(duplicate(field, expression));
    else {
      seen.add(expression);
      const compiled = compileCondition(expression);
      if (isCompiled(compiled)) return [compiled];
      const { problem, internal } = compiled;
      errors.push(internal ? internalFieldError(field, problem) : invalidValue(field, expression, problem));
    }
    return [];
  });
}
