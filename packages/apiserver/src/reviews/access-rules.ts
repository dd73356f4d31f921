import type {
  FieldSelectorAttributes,
  LabelSelectorAttributes,
  NonResourceAttributes,
  ResourceAttributes,
  SubjectAccessReviewSpec,
} from '@binnacle/api/types/authorization-v1';
import type { ObjectMeta } from '@binnacle/apimachinery/meta';
import { type FieldError, forbiddenField, invalidValue, required } from '@binnacle/apimachinery/status';
import { errorsOfEach, validateLabelName, validateLabelValue } from '@binnacle/apimachinery/validation';

/** The question of an access review: about a resource or a path, never both. */
export interface AccessQuestion {
  readonly resourceAttributes?: ResourceAttributes | undefined;
  readonly nonResourceAttributes?: NonResourceAttributes | undefined;
}

/** As a client sends it: empty fields may be absent. */
interface Requirement {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[] | undefined;
}

const RESOURCE = 'spec.resourceAttributes';
const NON_RESOURCE = 'spec.nonResourceAttributes';

/** Upstream: kubernetes `pkg/apis/authorization/validation`. */
export function validateQuestion(spec: AccessQuestion): FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = spec;
  const errors: FieldError[] = [];
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined) {
    const detail = 'cannot be specified in combination with resourceAttributes';
    errors.push(invalidValue(NON_RESOURCE, shownPath(nonResourceAttributes), detail));
  }
  if (resourceAttributes === undefined && nonResourceAttributes === undefined) {
    const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    errors.push(invalidValue(RESOURCE, undefined, detail));
  }
  if (resourceAttributes === undefined) return errors;
  return [
    ...errors,
    ...fieldSelectorErrors(resourceAttributes.fieldSelector, `${RESOURCE}.fieldSelector`),
    ...labelSelectorErrors(resourceAttributes.labelSelector, `${RESOURCE}.labelSelector`),
  ];
}

export function validateSubject(spec: SubjectAccessReviewSpec): FieldError[] {
  const { user = '', groups = [] } = spec;
  if (user !== '' || groups.length > 0) return [];
  return [invalidValue('spec.user', user, 'at least one of user or group must be specified')];
}

/** A local review may ask only about its own namespace. */
export function validateLocal(spec: SubjectAccessReviewSpec, namespace: string): FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = spec;
  const errors: FieldError[] = [];
  const asked = resourceAttributes?.namespace ?? '';
  if (resourceAttributes !== undefined && asked !== namespace) {
    errors.push(invalidValue(`${RESOURCE}.namespace`, asked, 'must match metadata.namespace'));
  }
  if (nonResourceAttributes !== undefined) {
    errors.push(invalidValue(NON_RESOURCE, shownPath(nonResourceAttributes), 'disallowed on this kind of request'));
  }
  return errors;
}

/** Reviews have no metadata, except the namespace of a local one. */
export function validateNoMetadata(metadata: Readonly<ObjectMeta>, namespaced: boolean): FieldError[] {
  const { managedFields: _, ...own } = metadata;
  if (namespaced) delete own.namespace;
  const isEmpty = Object.values(own).every((value) => value === undefined || value === '');
  if (isEmpty) return [];
  return [invalidValue('metadata', metadata, namespaced ? 'must be empty except for namespace' : 'must be empty')];
}

/** Upstream's message shows the fields of its internal type. */
function shownPath({ path = '', verb = '' }: NonResourceAttributes): object {
  return { Path: path, Verb: verb };
}

function fieldSelectorErrors(selector: FieldSelectorAttributes | undefined, path: string): FieldError[] {
  if (selector === undefined) return [];
  const requirements: readonly Requirement[] = selector.requirements ?? [];
  const errors = errorsOfEach(requirements, ({ key = '', operator = '', values = [] }, index) => [
    ...(key === '' ? [required(`${path}.requirements[${index}].key`, 'must be specified')] : []),
    ...valueErrors(operator, values, `${path}.requirements[${index}]`),
  ]);
  return [...formErrors(selector, path), ...errors];
}

function labelSelectorErrors(selector: LabelSelectorAttributes | undefined, path: string): FieldError[] {
  if (selector === undefined) return [];
  const requirements: readonly Requirement[] = selector.requirements ?? [];
  const errors = errorsOfEach(requirements, ({ key = '', operator = '', values = [] }, index) => {
    const at = `${path}.requirements[${index}]`;
    return [
      ...valueErrors(operator, values, at),
      ...validateLabelName(key, `${at}.key`),
      ...errorsOfEach(values, (value, place) =>
        validateLabelValue(value).map((problem) => invalidValue(`${at}.values[${place}]`, value, problem)),
      ),
    ];
  });
  return [...formErrors(selector, path), ...errors];
}

function formErrors(selector: FieldSelectorAttributes | LabelSelectorAttributes, path: string): FieldError[] {
  const { rawSelector = '', requirements = [] } = selector;
  if (rawSelector !== '' && requirements.length > 0) {
    return [invalidValue(`${path}.rawSelector`, rawSelector, 'may not specified at the same time as requirements')];
  }
  if (rawSelector !== '' || requirements.length > 0) return [];
  return [required(`${path}.requirements`, `when ${path} is specified, requirements or rawSelector is required`)];
}

/** Accepts an unknown operator. A requirement only narrows a question, so ignoring it makes the answer stricter. */
function valueErrors(operator: string, values: readonly string[], path: string): FieldError[] {
  if ((operator === 'In' || operator === 'NotIn') && values.length === 0) {
    return [required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
  }
  if ((operator === 'Exists' || operator === 'DoesNotExist') && values.length > 0) {
    return [forbiddenField(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
  }
  return [];
}
