import { type FieldError, forbiddenField, invalid, notSupported, required } from '@binnacle/apimachinery/status';
import { validateFieldManager } from '@binnacle/apimachinery/validation';
import { parseBoolean } from './query-values.js';

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** The options of a create or an update. Upstream: apimachinery `metav1.CreateOptions`, `UpdateOptions`. */
export interface WriteOptions {
  readonly dryRun: boolean;
  /** Empty: the caller derives it from the User-Agent. */
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
}

export interface PatchOptions extends WriteOptions {
  /** Undefined when absent; only an apply may set it. */
  readonly force: boolean | undefined;
}

/** Throws 422 `CreateOptions.meta.k8s.io`. */
export function parseCreateOptions(query: URLSearchParams): WriteOptions {
  return parseWriteOptions(query, 'CreateOptions');
}

/** Throws 422 `UpdateOptions.meta.k8s.io`. */
export function parseUpdateOptions(query: URLSearchParams): WriteOptions {
  return parseWriteOptions(query, 'UpdateOptions');
}

/** `apply`: the body is an apply configuration, which needs a field manager. Throws 422 `PatchOptions.meta.k8s.io`. */
export function parsePatchOptions(query: URLSearchParams, apply: boolean): PatchOptions {
  const force = parseBoolean(query, 'force');
  const own: FieldError[] = [];
  if (apply) {
    if ((query.get('fieldManager') ?? '') === '') own.push(required('fieldManager', 'is required for apply patch'));
  } else if (force !== undefined) {
    own.push(forbiddenField('force', 'may not be specified for non-apply patch'));
  }
  return { ...parseWriteOptions(query, 'PatchOptions', own), force };
}

function parseWriteOptions(query: URLSearchParams, kind: string, first: readonly FieldError[] = []): WriteOptions {
  const dryRun = query.getAll('dryRun');
  const fieldManager = query.get('fieldManager') ?? '';
  const fieldValidation = query.get('fieldValidation') ?? '';
  if (first.length === 0 && dryRun.length === 0 && fieldManager === '' && fieldValidation === '') return defaults;
  const errors = [
    ...first,
    ...validateFieldManager(fieldManager, 'fieldManager'),
    ...validateDryRun(dryRun),
    ...validateFieldValidation(fieldValidation),
  ];
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind }, '', errors);
  return {
    dryRun: dryRun.length > 0,
    fieldManager,
    fieldValidation: isFieldValidation(fieldValidation) ? fieldValidation : 'Warn',
  };
}

const defaults: WriteOptions = { dryRun: false, fieldManager: '', fieldValidation: 'Warn' };

export function validateDryRun(dryRun: readonly string[]): FieldError[] {
  return dryRun.every((value) => value === 'All') ? [] : [notSupported('dryRun', dryRun, ['All'])];
}

function validateFieldValidation(directive: string): FieldError[] {
  if (directive === '' || isFieldValidation(directive)) return [];
  return [notSupported('fieldValidation', directive, ['', 'Ignore', 'Strict', 'Warn'])];
}

function isFieldValidation(text: string): text is FieldValidation {
  return text === 'Ignore' || text === 'Warn' || text === 'Strict';
}
