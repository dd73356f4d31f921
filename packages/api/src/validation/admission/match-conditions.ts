import { duplicate, type FieldError, required, tooMany } from '@binnacle/apimachinery/status';
import type { Steps } from '@binnacle/apimachinery/work';
import type { MatchCondition } from '../../generated/types/admissionregistration-v1.js';
import { list, qualifiedName, rulesOf } from '../common.js';
import { validateExpression } from './expressions.js';

// Upstream: `validateMatchConditions`. A rule for each condition, because each compiles an expression.

const CONDITIONS_MAXIMUM = 64;

export function matchConditionRules(
  conditions: readonly MatchCondition[] | undefined,
  field: string,
  params: boolean,
): readonly (() => FieldError[] | Steps<FieldError[]>)[] {
  const seen = new Set<string>();
  const count = list(conditions).length;
  return [
    () => (count > CONDITIONS_MAXIMUM ? [tooMany(field, count, CONDITIONS_MAXIMUM)] : []),
    ...rulesOf(conditions, field, function* (condition, path) {
      const { name = '', expression = '' } = condition as Partial<MatchCondition>;
      const trimmed = expression.trim();
      const errors =
        trimmed === ''
          ? [required(`${path}.expression`, '')]
          : yield* validateExpression(trimmed, 'condition', { params, authorizer: true }, `${path}.expression`);
      if (name === '') return [...errors, required(`${path}.name`, '')];
      errors.push(...qualifiedName(name, `${path}.name`));
      if (seen.has(name)) errors.push(duplicate(`${path}.name`, name));
      seen.add(name);
      return errors;
    }),
  ];
}
