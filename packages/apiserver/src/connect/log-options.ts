import { badRequest, type FieldError, forbiddenField, invalid, invalidValue } from '@binnacle/apimachinery/status';
import { formatTime, parseTime, TimeParseError } from '@binnacle/apimachinery/time';
import { validateNonNegative } from '@binnacle/apimachinery/validation';
import { integerParameter, parseBoolean } from '../request/index.js';
import { encode } from './stream-location.js';

const kind = { group: '', kind: 'PodLogOptions' };

export interface LogOptions {
  /** '' = the only one. */
  readonly container: string;
  readonly insecureSkipTLSVerifyBackend: boolean;
  /** The parameters for the kubelet, percent-encoded. */
  readonly query: string;
}

/**
 * The options of a `log` request. Throws unless they are valid.
 * Upstream: `ValidatePodLogOptions`, with the feature `PodLogsQuerySplitStreams` off, and `LogLocation`.
 */
export function readLogOptions(query: URLSearchParams, pod: string): LogOptions {
  const isSet = (name: string): boolean => parseBoolean(query, name) ?? false;
  const sinceTime = sinceTimeIn(query);
  const numbers = checkedNumbers(query, pod);
  const switches = ['follow', 'previous', 'timestamps'].filter(isSet).map((name) => [name, 'true'] as const);
  const since = sinceTime === undefined ? [] : [['sinceTime', sinceTime] as const];
  const parameters = [...switches, ...numbers, ...since].sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    container: query.get('container') ?? '',
    insecureSkipTLSVerifyBackend: isSet('insecureSkipTLSVerifyBackend'),
    query: encode(parameters),
  };
}

function checkedNumbers(query: URLSearchParams, pod: string): (readonly [string, string])[] {
  const names = ['tailLines', 'limitBytes', 'sinceSeconds'];
  const values = names.map((name) => integerParameter(query, name));
  const [tailLines, limitBytes, sinceSeconds] = values;
  const errors: FieldError[] = [
    ...validateNonNegative(tailLines, 'tailLines'),
    ...validatePositive(limitBytes, 'limitBytes'),
    ...(sinceSeconds !== undefined && query.has('sinceTime')
      ? [forbiddenField('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified')]
      : validatePositive(sinceSeconds, 'sinceSeconds')),
    ...(query.has('stream') ? [forbiddenField('stream', 'may not be specified')] : []),
  ];
  if (errors.length > 0) throw invalid(kind, pod, errors);
  return names.flatMap((name, index) => {
    const value = values[index];
    return value === undefined ? [] : [[name, String(value)] as const];
  });
}

/** In UTC, in whole seconds. Upstream: `Time.UnmarshalQueryParameter`. */
function sinceTimeIn(query: URLSearchParams): string | undefined {
  const text = query.get('sinceTime');
  if (text === null) return undefined;
  if (text === '' || text === 'null') return '0001-01-01T00:00:00Z';
  try {
    return formatTime(parseTime(text));
  } catch (error) {
    throw error instanceof TimeParseError ? badRequest(error.message) : error;
  }
}

function validatePositive(value: ReturnType<typeof integerParameter>, field: string): FieldError[] {
  return value !== undefined && value < 1 ? [invalidValue(field, value, 'must be greater than 0')] : [];
}
