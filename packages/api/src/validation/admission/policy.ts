import { duplicate, type FieldError, invalidValue, required } from '@binnacle/apimachinery/status';
import { validateConditions, nameIsDnsSubdomain, semanticEqual, utf8Length } from '@binnacle/apimachinery/validation';
import type {
  AuditAnnotation,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicySpec,
  Validation,
} from '../../generated/types/admissionregistration-v1.js';
import { each, list, plainMetadata, qualifiedName, requireText } from '../common.js';
import { type GoStruct, shownStruct } from '../go-struct.js';
import { validateMatchConditions } from './match-conditions.js';
import { validateFailurePolicy, validateParameterKind, validateVariable } from './policy-parts.js';
import { optionalValue, validateMatchResources } from './rules.js';

/** Upstream: `ValidateValidatingAdmissionPolicy`. Admission compiles the expressions, this rule does not. */
const ANNOTATIONS_MAXIMUM = 20;
const ANNOTATION_EXPRESSION_MAXIMUM = 5 * 1024;
const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const SHOWN_ANNOTATION: GoStruct = { Key: ['key', ''], ValueExpression: ['valueExpression', ''] };

export function validateValidatingAdmissionPolicy(object: ValidatingAdmissionPolicy): FieldError[] {
  return policy(object, false);
}

/** Unchanged match conditions are not validated again. */
export function validateValidatingAdmissionPolicyUpdate(
  object: ValidatingAdmissionPolicy,
  old: ValidatingAdmissionPolicy,
): FieldError[] {
  const same =
    semanticEqual(object.spec?.paramKind, old.spec?.paramKind) &&
    semanticEqual(object.spec?.matchConditions, old.spec?.matchConditions);
  return [...plainMetadata(object, false, nameIsDnsSubdomain), ...policy(object, same)];
}

function policy(object: ValidatingAdmissionPolicy, sameConditions: boolean): FieldError[] {
  const spec: ValidatingAdmissionPolicySpec = object.spec ?? {};
  const constraints = spec.matchConstraints;
  return [
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
    ...(sameConditions ? [] : validateMatchConditions(spec.matchConditions, 'spec.matchConditions')),
    ...each(spec.variables, 'spec.variables', validateVariable),
    ...judgements(spec, object.metadata?.name ?? ''),
  ];
}

function judgements(spec: ValidatingAdmissionPolicySpec, name: string): FieldError[] {
  const annotations = list(spec.auditAnnotations);
  if (list(spec.validations).length + annotations.length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item';
    return [required('spec.validations', detail), required('spec.auditAnnotations', detail)];
  }
  const errors = each(spec.validations, 'spec.validations', validation);
  if (annotations.length > ANNOTATIONS_MAXIMUM) {
    const shown = annotations.map((annotation) => shownStruct(annotation, SHOWN_ANNOTATION));
    const detail = `must not have more than ${ANNOTATIONS_MAXIMUM} auditAnnotations`;
    errors.push(invalidValue('spec.auditAnnotations', shown, detail));
  }
  const seen = new Set<string>();
  return [
    ...errors,
    ...each(annotations, 'spec.auditAnnotations', (annotation, path) => {
      const { key = '', valueExpression = '' } = annotation as Partial<AuditAnnotation>;
      const problems = [
        ...(name === ''
          ? [invalidValue(`${path}.key`, key, 'requires metadata.name be non-empty')]
          : qualifiedName(`${name}/${key}`, `${path}.key`)),
        ...annotationExpression(valueExpression.trim(), `${path}.valueExpression`),
        ...(seen.has(key) ? [duplicate(`${path}.key`, key)] : []),
      ];
      seen.add(key);
      return problems;
    }),
  ];
}

function annotationExpression(expression: string, field: string): FieldError[] {
  if (expression === '') return [required(field, 'valueExpression is not specified')];
  if (utf8Length(expression) <= ANNOTATION_EXPRESSION_MAXIMUM) return [];
  return [required(field, `must not exceed ${ANNOTATION_EXPRESSION_MAXIMUM} bytes in length`)];
}

function validation(item: Partial<Validation>, path: string): FieldError[] {
  const { expression = '', messageExpression = '', message = '' } = item;
  const errors = expression.trim() === '' ? [required(`${path}.expression`, 'expression is not specified')] : [];
  if (messageExpression !== '' && messageExpression.trim() === '') {
    errors.push(invalidValue(`${path}.messageExpression`, messageExpression, 'must be non-empty if specified'));
  }
  if (message !== '' && message.trim() === '') {
    errors.push(invalidValue(`${path}.message`, message, 'message must be non-empty if specified'));
  } else if (/[\n\r]/.test(message.trim())) {
    errors.push(invalidValue(`${path}.message`, message, 'message must not contain line breaks'));
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
