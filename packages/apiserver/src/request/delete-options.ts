import { getOwn, type Int64, isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { badRequest, type FieldError, invalid, invalidValue, notSupported } from '@binnacle/apimachinery/status';
import { integerParameter, parseBoolean } from './query-values.js';
import { validateDryRun } from './write-options.js';

export type PropagationPolicy = 'Foreground' | 'Background' | 'Orphan';

/** The options of a delete. Upstream: apimachinery `metav1.DeleteOptions`. */
export interface DeleteOptions {
  readonly dryRun: boolean;
  /** Undefined: the kind's default. The registry handles negative values. */
  readonly gracePeriodSeconds: Int64 | undefined;
  /** The deprecated form of a propagation policy; the two exclude each other. */
  readonly orphanDependents: boolean | undefined;
  readonly propagationPolicy: PropagationPolicy | undefined;
  readonly preconditions: { readonly uid: string | undefined; readonly resourceVersion: string | undefined };
}

interface Given {
  readonly dryRun: readonly string[];
  readonly gracePeriodSeconds: Int64 | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly propagationPolicy: string | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
}

/**
 * Reads the options from the decoded body, or from the query if there is no body: upstream never mixes the two.
 * Throws 400 for unreadable options, and 422 `DeleteOptions.meta.k8s.io` for contradictory ones.
 */
export function deleteOptionsFrom(query: URLSearchParams, body: JsonObject | undefined): DeleteOptions {
  const given = body === undefined ? fromQuery(query) : fromBody(body);
  const errors = validate(given);
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors);
  const policy = given.propagationPolicy;
  return {
    dryRun: given.dryRun.length > 0,
    gracePeriodSeconds: given.gracePeriodSeconds,
    orphanDependents: given.orphanDependents,
    propagationPolicy: policy !== undefined && isPolicy(policy) ? policy : undefined,
    preconditions: { uid: given.uid, resourceVersion: given.resourceVersion },
  };
}

function validate(given: Given): FieldError[] {
  const errors: FieldError[] = [];
  const policy = given.propagationPolicy;
  if (policy !== undefined && given.orphanDependents !== undefined) {
    errors.push(
      invalidValue('propagationPolicy', policy, 'orphanDependents and deletionPropagation cannot be both set'),
    );
  }
  if (policy !== undefined && !isPolicy(policy)) {
    errors.push(notSupported('propagationPolicy', policy, ['Foreground', 'Background', 'Orphan', 'nil']));
  }
  return [...errors, ...validateDryRun(given.dryRun)];
}

function isPolicy(text: string): text is PropagationPolicy {
  return text === 'Foreground' || text === 'Background' || text === 'Orphan';
}

function fromQuery(query: URLSearchParams): Given {
  return {
    gracePeriodSeconds: integerParameter(query, 'gracePeriodSeconds'),
    dryRun: query.getAll('dryRun'),
    orphanDependents: parseBoolean(query, 'orphanDependents'),
    propagationPolicy: query.get('propagationPolicy') ?? undefined,
    uid: query.get('uid') || undefined,
    resourceVersion: query.get('resourceVersion') || undefined,
  };
}

function fromBody(body: JsonObject): Given {
  const kind = getOwn(body, 'kind');
  if (kind !== undefined && kind !== null && kind !== '' && kind !== 'DeleteOptions') {
    throw badRequest('decoded object cannot be converted to DeleteOptions');
  }
  const preconditions = field(body, 'preconditions', isObject, 'v1.Preconditions') ?? {};
  // Belongs to an alpha feature that is off: upstream decodes it and ignores it.
  field(body, 'ignoreStoreReadErrorWithClusterBreakingPotential', isBoolean, 'bool');
  const dryRun = field(body, 'dryRun', (value) => Array.isArray(value), '[]string') ?? [];
  return {
    dryRun: dryRun.map((value) => (isString(value) ? value : mistyped(value, 'dryRun', 'string'))),
    gracePeriodSeconds: field(body, 'gracePeriodSeconds', isInt64, 'int64'),
    orphanDependents: field(body, 'orphanDependents', isBoolean, 'bool'),
    propagationPolicy: field(body, 'propagationPolicy', isString, 'v1.DeletionPropagation'),
    uid: field(preconditions, 'uid', isString, 'types.UID', 'preconditions.'),
    resourceVersion: field(preconditions, 'resourceVersion', isString, 'string', 'preconditions.'),
  };
}

function field<T extends JsonValue>(
  object: JsonObject,
  key: string,
  is: (value: JsonValue) => value is T,
  goType: string,
  prefix = '',
): T | undefined {
  const value = getOwn(object, key);
  if (value === undefined || value === null) return undefined;
  return is(value) ? value : mistyped(value, `${prefix}${key}`, goType);
}

const isString = (value: JsonValue): value is string => typeof value === 'string';
const isBoolean = (value: JsonValue): value is boolean => typeof value === 'boolean';
const isInt64 = (value: JsonValue): value is number | bigint =>
  typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value);

function mistyped(value: JsonValue, key: string, goType: string): never {
  const shown = Array.isArray(value)
    ? 'array'
    : typeof value === 'string' || typeof value === 'object'
      ? typeof value
      : typeof value === 'boolean'
        ? 'bool'
        : Number.isInteger(value)
          ? 'number'
          : `number ${String(value)}`;
  throw badRequest(`json: cannot unmarshal ${shown} into Go struct field DeleteOptions.${key} of type ${goType}`);
}
