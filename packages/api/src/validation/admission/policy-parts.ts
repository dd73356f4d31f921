import { type FieldError, forbiddenField, invalidValue, required } from '@binnacle/apimachinery/status';
import {
  invalidFor,
  nameIsDnsSubdomain,
  nameIsPathSegment,
  validateDns1035Label,
  validateDns1123Subdomain,
} from '@binnacle/apimachinery/validation';
import type { ParamKind, ParamRef, Variable } from '../../generated/types/admissionregistration-v1.js';
import { requireOneOf } from '../common.js';
import { labelSelector } from '../label-selector.js';
import { optionalValue } from './rules.js';

// Rules shared by validating and mutating policies and their bindings.

const FAILURE_POLICIES = ['Fail', 'Ignore'];
const NOT_FOUND_ACTIONS = ['Deny', 'Allow'];
const RESERVED_WORDS: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

export function validateFailurePolicy(policy: string | undefined, field: string): FieldError[] {
  return policy === undefined ? [required(field, '')] : optionalValue(policy, FAILURE_POLICIES, field);
}

/** The group, version and kind of the objects that a policy takes as parameters. */
export function validateParameterKind(given: ParamKind | undefined, field: string): FieldError[] {
  if (given === undefined) return [];
  const { apiVersion = '', kind = '' } = given;
  const messages = validateDns1035Label(kind.toLowerCase());
  const detail = `may have mixed case, but should otherwise match: ${messages.join(',')}`;
  return [
    ...(apiVersion === '' ? [required(`${field}.apiVersion`, '')] : groupVersion(apiVersion, `${field}.apiVersion`)),
    ...(kind === ''
      ? [required(`${field}.kind`, '')]
      : messages.length === 0
        ? []
        : [invalidValue(`${field}.kind`, kind, detail)]),
  ];
}

function groupVersion(text: string, field: string): FieldError[] {
  const parts = text.split('/');
  if (parts.length > 2) return [invalidValue(field, text, `unexpected GroupVersion string: ${text}`)];
  const [group = '', version = ''] = parts.length === 1 ? ['', text] : parts;
  const joined = (value: string, messages: readonly string[]): FieldError[] =>
    messages.length === 0 ? [] : [invalidValue(field, value, messages.join(','))];
  return [
    ...(group === '' ? [] : joined(group, validateDns1123Subdomain(group))),
    ...(version === ''
      ? [invalidValue(field, text, 'version must be specified')]
      : joined(version, validateDns1035Label(version))),
  ];
}

export function validateVariable(variable: Partial<Variable>, path: string): FieldError[] {
  const { name = '', expression = '' } = variable;
  const identifier = /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !RESERVED_WORDS.has(name);
  return [
    ...(name.trim() === ''
      ? [required(`${path}.name`, 'name is not specified')]
      : identifier
        ? []
        : [invalidValue(`${path}.name`, name, 'must be a valid CEL identifier')]),
    ...(expression.trim() === '' ? [required(`${path}.expression`, 'expression is not specified')] : []),
  ];
}

export function validatePolicyName(name: string | undefined, field: string): FieldError[] {
  return name ? invalidFor(field, name, nameIsDnsSubdomain(name, false)) : [required(field, '')];
}

/** The parameters of a binding: one by name, or all that a selector matches. */
export function validateParameterReference(reference: ParamRef | undefined, field: string): FieldError[] {
  if (reference === undefined) return [];
  const { name = '', selector, parameterNotFoundAction } = reference;
  const exclusive = (path: string): FieldError[] =>
    name !== '' && selector !== undefined ? [forbiddenField(path, 'name and selector are mutually exclusive')] : [];
  const action = `${field}.parameterNotFoundAction`;
  return [
    ...(name === '' ? [] : invalidFor(`${field}.name`, name, nameIsPathSegment(name, false))),
    ...exclusive(`${field}.name`),
    ...labelSelector(selector, `${field}.selector`),
    ...exclusive(`${field}.selector`),
    ...(name === '' && selector === undefined ? [required(field, 'one of name or selector must be specified')] : []),
    ...requireOneOf(parameterNotFoundAction, NOT_FOUND_ACTIONS, action),
  ];
}
