import { duplicate, type FieldError, invalidValue, notSupported, required, tooLong } from '../status/index.js';
import { errorsOfEach } from './errors-of-each.js';
import { invalidFor } from './field-rules.js';
import { validateConditionReason } from './identifiers.js';
import { validateLabelName } from './labels.js';
import { utf8Length } from './text.js';

/** The common form of a status condition. Upstream: apimachinery `metav1.Condition`. */
export interface Condition {
  type: string;
  status: string;
  observedGeneration?: number | bigint;
  lastTransitionTime: string | null;
  reason: string;
  message: string;
}

const REASON_MAXIMUM = 1024;
const MESSAGE_MAXIMUM = 32 * 1024;
const statuses = ['False', 'True', 'Unknown'];

/** Upstream: apimachinery `pkg/apis/meta/v1/validation` (`ValidateConditions`). */
export function validateConditions(conditions: readonly Condition[] | undefined, field: string): FieldError[] {
  const seen = new Set<string>();
  return errorsOfEach(conditions, (condition, index) => {
    const path = `${field}[${index}]`;
    const errors = seen.has(condition.type) ? [duplicate(`${path}.type`, condition.type)] : [];
    seen.add(condition.type);
    return [...errors, ...validateCondition(condition, path)];
  });
}

function validateCondition(condition: Readonly<Condition>, field: string): FieldError[] {
  const errors = validateLabelName(condition.type ?? '', `${field}.type`);
  if (!statuses.includes(condition.status)) {
    errors.push(notSupported(`${field}.status`, condition.status ?? '', statuses));
  }
  if ((condition.observedGeneration ?? 0) < 0) {
    const detail = 'must be greater than or equal to zero';
    errors.push(invalidValue(`${field}.observedGeneration`, condition.observedGeneration, detail));
  }
  if (!condition.lastTransitionTime) errors.push(required(`${field}.lastTransitionTime`, ''));
  const reason = condition.reason ?? '';
  if (reason === '') {
    errors.push(required(`${field}.reason`, ''));
  } else {
    errors.push(...invalidFor(`${field}.reason`, reason, validateConditionReason(reason)));
    if (utf8Length(reason) > REASON_MAXIMUM) errors.push(tooLong(`${field}.reason`, REASON_MAXIMUM));
  }
  if (utf8Length(condition.message ?? '') > MESSAGE_MAXIMUM) {
    errors.push(tooLong(`${field}.message`, MESSAGE_MAXIMUM));
  }
  return errors;
}
