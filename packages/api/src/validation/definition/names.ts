import type { FieldError } from '@binnacle/apimachinery/status';
import { invalidValue } from '@binnacle/apimachinery/status';
import { validateDns1035Label } from '@binnacle/apimachinery/validation';
import type { CustomResourceDefinitionNames } from '../../generated/types/apiextensions-v1.js';
import { each } from '../common.js';

/** Validates names that are present. Another rule decides which are required. */
export function validateNames(names: CustomResourceDefinitionNames | undefined, path: string): FieldError[] {
  const { plural = '', singular = '', kind = '', listKind = '', shortNames, categories } = names ?? {};
  return [
    ...(plural === '' ? [] : label(plural, `${path}.plural`)),
    ...(singular === '' ? [] : label(singular, `${path}.singular`)),
    ...mixedCase(kind, `${path}.kind`),
    ...mixedCase(listKind, `${path}.listKind`),
    ...each(shortNames, `${path}.shortNames`, label),
    ...(kind !== '' && kind === listKind
      ? [invalidValue(`${path}.listKind`, listKind, 'kind and listKind may not be the same')]
      : []),
    ...each(categories, `${path}.categories`, label),
  ];
}

/** Reports all problems of a label in one error. */
export function label(value: string, path: string): FieldError[] {
  const problems = validateDns1035Label(value);
  return problems.length === 0 ? [] : [invalidValue(path, value, problems.join(','))];
}

function mixedCase(value: string, path: string): FieldError[] {
  const problems = value === '' ? [] : validateDns1035Label(value.toLowerCase());
  if (problems.length === 0) return [];
  return [invalidValue(path, value, `may have mixed case, but should otherwise match: ${problems.join(',')}`)];
}
