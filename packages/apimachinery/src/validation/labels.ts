import { type FieldError, forbiddenField, invalidValue, required } from '../status/index.js';
import { finish, type Steps } from '../work/index.js';
import { eachInSteps, entryByEntry, itemByItem } from './errors-in-steps.js';
import { invalidFor } from './field-rules.js';
import { validateLabelKey, validateLabelValue } from './label-keys.js';

/** Upstream: apimachinery `pkg/apis/meta/v1/validation`. */
export interface LabelSelector {
  matchLabels?: { [key: string]: string };
  matchExpressions?: LabelSelectorRequirement[];
}

export interface LabelSelectorRequirement {
  key: string;
  operator: string;
  values?: string[];
}

export interface LabelSelectorOptions {
  /** Accept invalid label values, which objects stored by old versions may hold. */
  readonly allowInvalidValues?: boolean;
}

export function validateLabelName(name: string, field: string): FieldError[] {
  return invalidFor(field, name, validateLabelKey(name));
}

export function validateLabels(labels: Readonly<Record<string, string>> | undefined, field: string): FieldError[] {
  return finish(validateLabelsInSteps(labels, field));
}

export function validateLabelsInSteps(
  labels: Readonly<Record<string, string>> | undefined,
  field: string,
): Steps<FieldError[]> {
  return entryByEntry(labels, (key, value) => {
    const errors = validateLabelName(key, field);
    for (const message of validateLabelValue(value)) errors.push(invalidValue(field, value, message));
    return errors;
  });
}

export function validateLabelSelector(
  selector: Readonly<LabelSelector> | undefined,
  field: string,
  options: LabelSelectorOptions = {},
): FieldError[] {
  return finish(validateLabelSelectorInSteps(selector, field, options));
}

export function* validateLabelSelectorInSteps(
  selector: Readonly<LabelSelector> | undefined,
  field: string,
  options: LabelSelectorOptions = {},
): Steps<FieldError[]> {
  if (selector === undefined) return [];
  const ofLabels = yield* validateLabelsInSteps(selector.matchLabels, `${field}.matchLabels`);
  const ofExpressions = yield* eachInSteps(
    selector.matchExpressions,
    `${field}.matchExpressions`,
    (requirement, path) => validateRequirement(requirement, path, options),
  );
  return [...ofLabels, ...ofExpressions];
}

function* validateRequirement(
  requirement: Readonly<LabelSelectorRequirement>,
  field: string,
  options: LabelSelectorOptions,
): Steps<FieldError[]> {
  const values = requirement.values ?? [];
  const errors = [...operatorErrors(requirement.operator, values, field)];
  errors.push(...validateLabelName(requirement.key ?? '', `${field}.key`));
  if (options.allowInvalidValues === true) return errors;
  const ofValues = yield* itemByItem(values, `${field}.values`, (value, path) =>
    invalidFor(path, value, validateLabelValue(value)),
  );
  return [...errors, ...ofValues];
}

function operatorErrors(operator: string | undefined, values: readonly string[], field: string): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length > 0) return [];
      return [required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      if (values.length === 0) return [];
      return [forbiddenField(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      return [invalidValue(`${field}.operator`, operator ?? '', 'not a valid selector operator')];
  }
}
