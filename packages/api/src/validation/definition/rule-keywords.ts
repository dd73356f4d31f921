import { getOwn, type JsonObject } from '@binnacle/apimachinery/json';
import { type FieldError, invalidValue, notSupported, required } from '@binnacle/apimachinery/status';
import { isFieldPathOf, listed, textOf } from '@binnacle/apimachinery/structural';
import { errorsOfEach } from '@binnacle/apimachinery/validation';

const reasons: readonly string[] = [
  'FieldValueDuplicate',
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
];

/** Checks rules as far as possible without compiling them. */
export function validateRules(schema: JsonObject, path: string): FieldError[] {
  const rules = listed(schema, 'x-kubernetes-validations');
  return errorsOfEach(rules, (rule, index) => validateRule(rule, schema, `${path}.x-kubernetes-validations[${index}]`));
}

function validateRule(rule: JsonObject, schema: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const text = textOf(rule, 'rule').trim();
  const message = textOf(rule, 'message');
  if (text === '') {
    errors.push(required(`${path}.rule`, 'rule is not specified'));
  } else if (message !== '' && message.trim() === '') {
    errors.push(invalidValue(`${path}.message`, message, 'must be non-empty if specified'));
  } else if (hasLineBreak(message.trim())) {
    errors.push(invalidValue(`${path}.message`, message, 'must not contain line breaks'));
  } else if (hasLineBreak(text) && message.trim() === '') {
    errors.push(required(`${path}.message`, 'message must be specified if rule contains line breaks'));
  }
  const expression = textOf(rule, 'messageExpression');
  if (expression !== '' && expression.trim() === '') {
    errors.push(required(`${path}.messageExpression`, 'messageExpression must be non-empty if specified'));
  }
  const reason = getOwn(rule, 'reason');
  if (typeof reason === 'string' && !reasons.includes(reason)) {
    errors.push(notSupported(`${path}.reason`, reason, reasons));
  }
  return [...errors, ...validateRulePath(textOf(rule, 'fieldPath'), schema, `${path}.fieldPath`)];
}

function validateRulePath(fieldPath: string, schema: JsonObject, path: string): FieldError[] {
  if (fieldPath === '') return [];
  const errors: FieldError[] = [];
  if (fieldPath.trim() === '') errors.push(invalidValue(path, fieldPath, 'must be non-empty if specified'));
  if (hasLineBreak(fieldPath)) errors.push(invalidValue(path, fieldPath, 'must not contain line breaks'));
  if (!isFieldPathOf(fieldPath, schema)) {
    errors.push(invalidValue(path, fieldPath, 'must be a valid path'));
  }
  return errors;
}

function hasLineBreak(text: string): boolean {
  return /[\n\r]/.test(text);
}
