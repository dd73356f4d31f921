import { type FieldError, forbiddenField, invalid, invalidValue } from '@binnacle/apimachinery/status';
import { validateNonNegative } from '@binnacle/apimachinery/validation';
import { integerParameter } from '../request/index.js';

const kind = { group: '', kind: 'PodLogOptions' };

/**
 * Throws unless the query of a `log` request is valid.
 * Upstream: `ValidatePodLogOptions`, with the feature `PodLogsQuerySplitStreams` off.
 */
export function checkLogOptions(query: URLSearchParams, pod: string): void {
  const [tailLines, limitBytes, sinceSeconds] = ['tailLines', 'limitBytes', 'sinceSeconds'].map((name) =>
    integerParameter(query, name),
  );
  const errors: FieldError[] = [
    ...validateNonNegative(tailLines, 'tailLines'),
    ...validatePositive(limitBytes, 'limitBytes'),
    ...(sinceSeconds !== undefined && query.has('sinceTime')
      ? [forbiddenField('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified')]
      : validatePositive(sinceSeconds, 'sinceSeconds')),
    ...(query.has('stream') ? [forbiddenField('stream', 'may not be specified')] : []),
  ];
  if (errors.length > 0) throw invalid(kind, pod, errors);
}

function validatePositive(value: ReturnType<typeof integerParameter>, field: string): FieldError[] {
  return value !== undefined && value < 1 ? [invalidValue(field, value, 'must be greater than 0')] : [];
}
