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
 * Throws 400 for an unreadable query, and 422 `DeleteOptions.meta.k8s.io` for contradictory ones.
 */
export function deleteOptionsFrom(query: URLSearchParams, body: DeleteOptionsBody | undefined): DeleteOptions {
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

function fromBody({ dryRun = [], preconditions = {}, ...body }: DeleteOptionsBody): Given {
  return {
    dryRun,
    gracePeriodSeconds: body.gracePeriodSeconds,
    orphanDependents: body.orphanDependents,
    propagationPolicy: body.propagationPolicy,
    uid: preconditions.uid,
    resourceVersion: preconditions.resourceVersion,
  };
}
