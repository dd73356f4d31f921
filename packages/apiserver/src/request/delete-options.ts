import type { Int64 } from '@binnacle/apimachinery/json';
import { type FieldError, invalid, invalidValue, notSupported } from '@binnacle/apimachinery/status';
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
  /** Whether to delete an object that no one can read, if the server allows that; see {@link IGNORE_READ_ERROR}. */
  readonly ignoreStoreReadError: boolean | undefined;
}

/** The options as a body of kind DeleteOptions has them, decoded. */
export interface DeleteOptionsBody {
  readonly dryRun?: readonly string[] | undefined;
  readonly gracePeriodSeconds?: Int64 | undefined;
  readonly orphanDependents?: boolean | undefined;
  readonly propagationPolicy?: string | undefined;
  readonly preconditions?:
    | { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined }
    | undefined;
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean | undefined;
}

interface Given {
  readonly dryRun: readonly string[];
  readonly gracePeriodSeconds: Int64 | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly propagationPolicy: string | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly hasPreconditions: boolean;
  readonly ignoreStoreReadError: boolean | undefined;
}

/** The option to delete an object that no one can read. */
export const IGNORE_READ_ERROR = 'ignoreStoreReadErrorWithClusterBreakingPotential';

/**
 * Reads the options from the decoded body, or from the query if there is no body: upstream never mixes the two.
 * Throws 400 for an unreadable query, and 422 `DeleteOptions.meta.k8s.io` for contradictory ones. `allowsUnsafe`: whether
 * {@link IGNORE_READ_ERROR} counts; otherwise it is ignored.
 */
export function deleteOptionsFrom(
  query: URLSearchParams,
  body: DeleteOptionsBody | undefined,
  allowsUnsafe: boolean,
): DeleteOptions {
  const given = body === undefined ? fromQuery(query) : fromBody(body);
  const unsafe = allowsUnsafe && given.ignoreStoreReadError === true;
  refuse([...validate(given), ...(unsafe ? validateUnsafe(given) : [])]);
  const policy = given.propagationPolicy;
  return {
    dryRun: given.dryRun.length > 0,
    gracePeriodSeconds: given.gracePeriodSeconds,
    orphanDependents: given.orphanDependents,
    propagationPolicy: policy !== undefined && isPolicy(policy) ? policy : undefined,
    preconditions: { uid: given.uid, resourceVersion: given.resourceVersion },
    ignoreStoreReadError: given.ignoreStoreReadError,
  };
}

/** Refuses {@link IGNORE_READ_ERROR} for the deletion of a collection with a 422. */
export function refuseUnsafe({ ignoreStoreReadError }: DeleteOptions): void {
  const why = 'is not allowed with DELETECOLLECTION, try again after removing the option';
  refuse(ignoreStoreReadError === true ? [unsafeError(why)] : []);
}

export function unsafeError(why: string): FieldError {
  return invalidValue(IGNORE_READ_ERROR, true, why);
}

function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors);
}

/** Such a deletion has no other options. Upstream: apimachinery `ValidateIgnoreStoreReadError`. */
function validateUnsafe(given: Given): FieldError[] {
  const others: readonly (readonly [name: string, isGiven: boolean])[] = [
    ['dryRun', given.dryRun.length > 0],
    ['propagationPolicy', given.propagationPolicy !== undefined],
    ['orphanDependents', given.orphanDependents !== undefined],
    ['gracePeriodSeconds', given.gracePeriodSeconds !== undefined],
    ['preconditions', given.hasPreconditions],
  ];
  return others.filter(([, isGiven]) => isGiven).map(([name]) => unsafeError(`cannot be set together with .${name}`));
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
    hasPreconditions: (query.get('uid') || query.get('resourceVersion') || '') !== '',
    ignoreStoreReadError: parseBoolean(query, IGNORE_READ_ERROR),
  };
}

function fromBody({ dryRun = [], preconditions, ...body }: DeleteOptionsBody): Given {
  return {
    dryRun,
    gracePeriodSeconds: body.gracePeriodSeconds,
    orphanDependents: body.orphanDependents,
    propagationPolicy: body.propagationPolicy,
    uid: preconditions?.uid,
    resourceVersion: preconditions?.resourceVersion,
    hasPreconditions: preconditions !== undefined,
    ignoreStoreReadError: body[IGNORE_READ_ERROR],
  };
}
