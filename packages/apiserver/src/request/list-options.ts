import type { Int64 } from '@binnacle/apimachinery/json';
import { type FieldError, forbiddenField, invalid, notSupported } from '@binnacle/apimachinery/status';
import { integerParameter, parseBoolean } from './query-values.js';
import { hasNoStart } from './resource-version.js';

/** The options of a list, a watch or a deletecollection. Upstream: apimachinery `metav1.ListOptions`. */
export interface ListOptions {
  /** Unparsed. */
  readonly labelSelector: string;
  /** Unparsed. */
  readonly fieldSelector: string;
  /** Whether the parameter asks for a watch. The legacy path does too, and its options are those of a list. */
  readonly watch: boolean;
  readonly allowWatchBookmarks: boolean;
  /** Unparsed. */
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly timeoutSeconds: Int64 | undefined;
  /** 0 or less: no limit. */
  readonly limit: number;
  readonly continue: string;
  readonly sendInitialEvents: boolean | undefined;
}

/**
 * Reads the parameters and fills in upstream's default: a watch without a start and match asks for initial events.
 * Throws 400 for invalid numbers. The caller reads the selectors between this and {@link checkListOptions}, which is
 * the order in which upstream reports errors.
 */
export function decodeListOptions(query: URLSearchParams): ListOptions {
  const watch = parseBoolean(query, 'watch') ?? false;
  const resourceVersion = query.get('resourceVersion') ?? '';
  const match = query.get('resourceVersionMatch') ?? '';
  const sendInitialEvents = parseBoolean(query, 'sendInitialEvents');
  const initialEvents = watch && hasNoStart(resourceVersion) && match === '' && sendInitialEvents === undefined;
  return {
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
    watch,
    allowWatchBookmarks: parseBoolean(query, 'allowWatchBookmarks') ?? false,
    resourceVersion,
    resourceVersionMatch: initialEvents ? 'NotOlderThan' : match,
    timeoutSeconds: integerParameter(query, 'timeoutSeconds'),
    limit: Number(integerParameter(query, 'limit') ?? 0),
    continue: query.get('continue') ?? '',
    sendInitialEvents: initialEvents ? true : sendInitialEvents,
  };
}

/** Throws 422 `ListOptions.meta.k8s.io` when the options contradict each other. */
export function checkListOptions(options: ListOptions): void {
  const errors = validateListOptions(options);
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
}

const MATCH = 'resourceVersionMatch';

/** Upstream: apimachinery `pkg/apis/meta/internalversion/validation`. */
function validateListOptions(options: ListOptions): FieldError[] {
  return options.watch ? validateWatch(options) : validateList(options);
}

function validateList(options: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  const match = options.resourceVersionMatch;
  if (match !== '') {
    if (options.resourceVersion === '') {
      errors.push(forbiddenField(MATCH, `${MATCH} is forbidden unless resourceVersion is provided`));
    }
    if (options.continue !== '') errors.push(forbiddenField(MATCH, `${MATCH} is forbidden when continue is provided`));
    if (match !== 'Exact' && match !== 'NotOlderThan') {
      errors.push(notSupported(MATCH, match, ['Exact', 'NotOlderThan', '']));
    }
    if (match === 'Exact' && options.resourceVersion === '0') {
      errors.push(forbiddenField(MATCH, `${MATCH} "exact" is forbidden for resourceVersion "0"`));
    }
  }
  if (options.sendInitialEvents !== undefined) {
    errors.push(forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  return errors;
}

function validateWatch(options: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  const match = options.resourceVersionMatch;
  const initialEvents = options.sendInitialEvents !== undefined;
  if (initialEvents && match !== 'NotOlderThan') {
    errors.push(forbiddenField(MATCH, `sendInitialEvents requires setting ${MATCH} to NotOlderThan`));
  }
  if (match === '') return errors;
  if (!initialEvents) {
    errors.push(forbiddenField(MATCH, `${MATCH} is forbidden for watch unless sendInitialEvents is provided`));
  }
  if (match !== 'NotOlderThan') errors.push(notSupported(MATCH, match, ['NotOlderThan']));
  if (options.continue !== '') errors.push(forbiddenField(MATCH, `${MATCH} is forbidden when continue is provided`));
  return errors;
}
