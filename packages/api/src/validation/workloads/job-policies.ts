import {
  duplicate,
  type FieldError,
  invalidValue,
  invalidWithoutValue,
  required,
  tooLong,
  tooMany,
} from '@binnacle/apimachinery/status';
import { validateNonNegative } from '@binnacle/apimachinery/validation';
import type { JobSpec, PodFailurePolicyRule, SuccessPolicyRule } from '../../generated/types/batch-v1.js';
import { type GoStruct, shownStruct } from '../go-struct.js';
import { countIndexes } from './index-intervals.js';
import { each, list, optionalOneOf, qualifiedName, repetitions } from '../common.js';

// The limits of both policies. Upstream: `validatePodFailurePolicy`, `validateSuccessPolicy`.

const RULES_MAXIMUM = 20;
const VALUES_MAXIMUM = 255;
/** In characters. */
const INDEXES_MAXIMUM = 64 * 1024;

/** The Go structs of both policies, as error messages print them. */
export const SHOWN_FAILURE_POLICY: GoStruct = {
  Rules: [
    'rules',
    null,
    {
      Action: ['action', ''],
      OnExitCodes: [
        'onExitCodes',
        null,
        { ContainerName: ['containerName', null], Operator: ['operator', ''], Values: ['values', null] },
      ],
      OnPodConditions: ['onPodConditions', null, { Type: ['type', ''], Status: ['status', ''] }],
    },
  ],
};
export const SHOWN_SUCCESS_POLICY: GoStruct = {
  Rules: ['rules', null, { SucceededIndexes: ['succeededIndexes', null], SucceededCount: ['succeededCount', null] }],
};

export function validatePodFailurePolicy(spec: Partial<JobSpec>, field: string): FieldError[] {
  const rules = list(spec.podFailurePolicy?.rules);
  const pod = spec.template?.spec;
  const names = new Set([...list(pod?.containers), ...list(pod?.initContainers)].map(({ name }) => name));
  return [
    ...(rules.length > RULES_MAXIMUM ? [tooMany(`${field}.rules`, rules.length, RULES_MAXIMUM)] : []),
    ...each(rules, `${field}.rules`, (rule, path) => failureRule(rule, spec, names, path)),
  ];
}

function oneOfOrRequired(value: string | undefined, values: readonly string[], field: string): FieldError[] {
  if (!value) return [required(field, `valid values: [${values.map((each) => `"${each}"`).join(' ')}]`)];
  return optionalOneOf(value, values, field);
}

function failureRule(
  rule: PodFailurePolicyRule,
  spec: Partial<JobSpec>,
  names: ReadonlySet<string>,
  path: string,
): FieldError[] {
  const errors = oneOfOrRequired(rule.action, ['Count', 'FailIndex', 'FailJob', 'Ignore'], `${path}.action`);
  if (rule.action === 'FailIndex' && spec.backoffLimitPerIndex === undefined) {
    errors.push(invalidValue(`${path}.action`, rule.action, 'requires the backoffLimitPerIndex to be set'));
  }
  errors.push(...exitCodes(rule, names, `${path}.onExitCodes`));
  const conditions = list(rule.onPodConditions);
  errors.push(
    ...each(conditions, `${path}.onPodConditions`, (pattern, patternPath) => [
      ...qualifiedName(pattern.type ?? '', `${patternPath}.type`),
      ...oneOfOrRequired(pattern.status, ['False', 'True', 'Unknown'], `${patternPath}.status`),
    ]),
  );
  const both = rule.onExitCodes !== undefined && conditions.length > 0;
  const neither = rule.onExitCodes === undefined && conditions.length === 0;
  if (both) errors.push(invalidWithoutValue(path, 'specifying both OnExitCodes and OnPodConditions is not supported'));
  if (neither) errors.push(invalidWithoutValue(path, 'specifying one of OnExitCodes and OnPodConditions is required'));
  return errors;
}

function exitCodes(rule: PodFailurePolicyRule, names: ReadonlySet<string>, path: string): FieldError[] {
  const codes = rule.onExitCodes;
  if (codes === undefined) return [];
  const values = list(codes.values);
  const repeated = repetitions(values);
  const errors = oneOfOrRequired(codes.operator, ['In', 'NotIn'], `${path}.operator`);
  if (codes.containerName !== undefined && !names.has(codes.containerName)) {
    const detail = 'must be one of the container or initContainer names in the pod template';
    errors.push(invalidValue(`${path}.containerName`, codes.containerName, detail));
  }
  if (values.length === 0) errors.push(invalidValue(`${path}.values`, codes.values, 'at least one value is required'));
  if (values.length > VALUES_MAXIMUM) errors.push(tooMany(`${path}.values`, values.length, VALUES_MAXIMUM));
  errors.push(
    ...each(values, `${path}.values`, (value, valuePath, index) => [
      ...(value === 0 && codes.operator === 'In'
        ? [invalidValue(valuePath, value, 'must not be 0 for the In operator')]
        : []),
      ...(repeated.has(index) ? [duplicate(valuePath, value)] : []),
    ]),
  );
  if (values.some((value, index) => index > 0 && (values[index - 1] ?? 0) > value)) {
    errors.push(invalidValue(`${path}.values`, values, 'must be ordered'));
  }
  return errors;
}

export function validateSuccessPolicy(spec: Partial<JobSpec>, field: string): FieldError[] {
  const rules = list(spec.successPolicy?.rules);
  const completions = spec.completions ?? 0;
  if (spec.completionMode !== 'Indexed') {
    return [
      invalidValue(field, shownStruct(spec.successPolicy, SHOWN_SUCCESS_POLICY), 'requires indexed completion mode'),
    ];
  }
  const path = `${field}.rules`;
  return [
    ...(rules.length === 0
      ? [required(path, 'at least one rules must be specified when the successPolicy is specified')]
      : []),
    ...(rules.length > RULES_MAXIMUM ? [tooMany(path, rules.length, RULES_MAXIMUM)] : []),
    ...each(rules, path, (rule, rulePath) => successRule(rule, completions, rulePath)),
  ];
}

function successRule(rule: SuccessPolicyRule, completions: number, field: string): FieldError[] {
  const { succeededCount: count, succeededIndexes: indexes } = rule;
  if (count === undefined && indexes === undefined) {
    return [required(field, 'at least one of succeededCount or succeededIndexes must be specified')];
  }
  const indexCount = indexes === undefined ? completions : countIndexes(indexes, completions);
  const countPath = `${field}.succeededCount`;
  const atMost = (maximum: number, what: string): FieldError[] =>
    count !== undefined && count > maximum
      ? [invalidValue(countPath, count, `must be less than or equal to ${maximum} (the number of ${what})`)]
      : [];
  return [
    ...(indexes !== undefined && indexes.length > INDEXES_MAXIMUM
      ? [tooLong(`${field}.succeededIndexes`, INDEXES_MAXIMUM)]
      : []),
    ...(typeof indexCount === 'string'
      ? [invalidValue(`${field}.succeededIndexes`, indexes, `error parsing succeededIndexes: ${indexCount}`)]
      : []),
    ...validateNonNegative(count, countPath),
    ...atMost(completions, 'specified completions'),
    ...(indexes === undefined
      ? []
      : atMost(typeof indexCount === 'string' ? 0 : indexCount, 'indexes in the specified succeededIndexes field')),
  ];
}
