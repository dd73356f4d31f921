import { duplicate, type FieldError, invalidValue, required } from '@binnacle/apimachinery/status';
import { validateConditions, nameIsDnsSubdomain, semanticEqual, utf8Length } from '@binnacle/apimachinery/validation';
import type { Steps } from '@binnacle/apimachinery/work';
import type {
  AuditAnnotation,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicySpec,
  Validation,
} from '../../generated/types/admissionregistration-v1.js';
import { each, list, plainMetadata, qualifiedName, requireText, ruleByRule, rulesOf } from '../common.js';
import { type GoStruct, shownStruct } from '../go-struct.js';
import { PolicyScope, validateExpression } from './expressions.js';
import { matchConditionRules } from './match-conditions.js';
import { validateFailurePolicy, validateParameterKind } from './policy-parts.js';
import { optionalValue, validateMatchResources } from './rules.js';

// Upstream: `ValidateValidatingAdmissionPolicy`. Rules run one by one, because each compiles an expression.

const ANNOTATIONS_MAXIMUM = 20;
const ANNOTATION_EXPRESSION_MAXIMUM = 5 * 1024;
const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const SHOWN_ANNOTATION: GoStruct = { Key: ['key', ''], ValueExpression: ['valueExpression', ''] };

export function validateValidatingAdmissionPolicy(object: ValidatingAdmissionPolicy): Steps<FieldError[]> {
  return policy(object, false);
}

/** Unchanged match conditions are not validated again. */
export function* validateValidatingAdmissionPolicyUpdate(
  object: ValidatingAdmissionPolicy,
  old: ValidatingAdmissionPolicy,
): Steps<FieldError[]> {
  const same =
    semanticEqual(object.spec?.paramKind, old.spec?.paramKind) &&
    semanticEqual(object.spec?.matchConditions, old.spec?.matchConditions);
  return [...plainMetadata(object, false, nameIsDnsSubdomain), ...(yield* policy(object, same))];
}

function policy(object: ValidatingAdmissionPolicy, sameConditions: boolean): Steps<FieldError[]> {
  const spec: ValidatingAdmissionPolicySpec = object.spec ?? {};
  const scope = new PolicyScope(spec.paramKind);
  const constraints = spec.matchConstraints;
  return ruleByRule([
    () => [
      ...validateFailurePolicy(spec.failurePolicy, 'spec.failurePolicy'),
      ...validateParameterKind(spec.paramKind, 'spec.paramKind'),
      ...(constraints === undefined
        ? [required('spec.matchConstraints', '')]
        : [
            ...validateMatchResources(constraints, 'spec.matchConstraints'),
            ...(list(constraints.resourceRules).length === 0
              ? [required('spec.matchConstraints.resourceRules', '')]
              : []),
          ]),
    ],
    ...(sameConditions ? [] : matchConditionRules(spec.matchConditions, 'spec.matchConditions', scope.params)),
    ...rulesOf(spec.variables, 'spec.variables', (variable, path) => scope.declare(variable, path)),
    ...validationsAndAnnotations(spec, scope, object.metadata?.name ?? ''),
  ]);
}

function validationsAndAnnotations(
  spec: ValidatingAdmissionPolicySpec,
  scope: PolicyScope,
  name: string,
): readonly (() => FieldError[] | Steps<FieldError[]>)[] {
  const annotations = list(spec.auditAnnotations);
  if (list(spec.validations).length + annotations.length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item';
    return [() => [required('spec.validations', detail), required('spec.auditAnnotations', detail)]];
  }
  const seen = new Set<string>();
  return [
    ...rulesOf(spec.validations, 'spec.validations', (item, path) => validation(item, path, scope)),
    () => annotationCount(annotations),
    ...rulesOf(annotations, 'spec.auditAnnotations', function* (annotation, path) {
      const { key = '', valueExpression = '' } = annotation as Partial<AuditAnnotation>;
      const problems = [
        ...(name === ''
          ? [invalidValue(`${path}.key`, key, 'requires metadata.name be non-empty')]
          : qualifiedName(`${name}/${key}`, `${path}.key`)),
        ...(yield* annotationExpression(valueExpression, `${path}.valueExpression`, scope)),
        ...(seen.has(key) ? [duplicate(`${path}.key`, key)] : []),
      ];
      seen.add(key);
      return problems;
    }),
  ];
}

function annotationCount(annotations: readonly AuditAnnotation[]): FieldError[] {
  if (annotations.length <= ANNOTATIONS_MAXIMUM) return [];
  const shown = annotations.map((annotation) => shownStruct(annotation, SHOWN_ANNOTATION));
  return [
    invalidValue('spec.auditAnnotations', shown, `must not have more than ${ANNOTATIONS_MAXIMUM} auditAnnotations`),
  ];
}

function* annotationExpression(expression: string, field: string, scope: PolicyScope): Steps<FieldError[]> {
  const trimmed = expression.trim();
  if (trimmed === '') return [required(field, 'valueExpression is not specified')];
  if (utf8Length(trimmed) > ANNOTATION_EXPRESSION_MAXIMUM) {
    return [required(field, `must not exceed ${ANNOTATION_EXPRESSION_MAXIMUM} bytes in length`)];
  }
  return yield* validateExpression(trimmed, 'auditAnnotation', scope.scope(), field, expression);
}

function* validation(item: Partial<Validation>, path: string, scope: PolicyScope): Steps<FieldError[]> {
  const { expression = '', messageExpression = '', message = '' } = item;
  const errors =
    expression.trim() === ''
      ? [required(`${path}.expression`, 'expression is not specified')]
      : yield* validateExpression(expression, 'condition', scope.scope(), `${path}.expression`);
  if (messageExpression.trim() !== '') {
    const problems = yield* validateExpression(
      messageExpression,
      'message',
      scope.scope({}),
      `${path}.messageExpression`,
    );
    errors.push(...problems);
  } else if (messageExpression !== '') {
    errors.push(invalidValue(`${path}.messageExpression`, messageExpression, 'must be non-empty if specified'));
  }
  if (message !== '' && message.trim() === '') {
    errors.push(invalidValue(`${path}.message`, message, 'must be non-empty if specified'));
  } else if (/[\n\r]/.test(message.trim())) {
    errors.push(invalidValue(`${path}.message`, message, 'must not contain line breaks'));
  }
  return [...errors, ...optionalValue(item.reason, REASONS, `${path}.reason`)];
}

export function validateValidatingAdmissionPolicyStatusUpdate(object: ValidatingAdmissionPolicy): FieldError[] {
  const { typeChecking, conditions } = object.status ?? {};
  return [
    ...each(typeChecking?.expressionWarnings, 'status.typeChecking.expressionWarnings', (warning, path) => [
      ...requireText(warning.warning, `${path}.warning`),
      ...requireText(warning.fieldRef?.trim(), `${path}.fieldRef`),
    ]),
    ...validateConditions(conditions as Parameters<typeof validateConditions>[0], 'status.conditions'),
  ];
}
