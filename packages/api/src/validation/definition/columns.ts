import { type FieldError, invalidValue, required } from '@binnacle/apimachinery/status';
import type {
  CustomResourceColumnDefinition,
  CustomResourceSubresources,
} from '../../generated/types/apiextensions-v1.js';

const types = ['boolean', 'date', 'integer', 'number', 'string'];
const formats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

export function validateColumn(column: Partial<CustomResourceColumnDefinition>, path: string): FieldError[] {
  const { name = '', type = '', format = '', jsonPath = '' } = column;
  const errors: FieldError[] = [];
  if (name === '') errors.push(required(`${path}.name`, ''));
  const oneOfTypes = `must be one of ${types.join(',')}`;
  if (type === '') errors.push(required(`${path}.type`, oneOfTypes));
  else if (!types.includes(type)) errors.push(invalidValue(`${path}.type`, type, oneOfTypes));
  if (format !== '' && !formats.includes(format)) {
    errors.push(invalidValue(`${path}.format`, format, `must be one of ${formats.join(',')}`));
  }
  if (jsonPath === '') errors.push(required(`${path}.JSONPath`, ''));
  else errors.push(...validateDottedPath(jsonPath, `${path}.JSONPath`));
  return errors;
}

/** Validates the paths of `scale`; `status` has no fields. */
export function validateSubresources(subresources: CustomResourceSubresources | undefined, path: string): FieldError[] {
  const scale = subresources?.scale;
  if (scale === undefined) return [];
  const errors = [
    ...validateReplicasPath(scale.specReplicasPath ?? '', '.spec', `${path}.scale.specReplicasPath`),
    ...validateReplicasPath(scale.statusReplicasPath ?? '', '.status', `${path}.scale.statusReplicasPath`),
  ];
  const { labelSelectorPath = '' } = scale;
  if (labelSelectorPath === '') return errors;
  const place = `${path}.scale.labelSelectorPath`;
  const problems = validateDottedPath(labelSelectorPath, place);
  if (problems.length > 0) return [...errors, ...problems];
  if (labelSelectorPath.startsWith('.spec.') || labelSelectorPath.startsWith('.status.')) return errors;
  return [...errors, invalidValue(place, labelSelectorPath, 'should be a json path under either .spec or .status')];
}

function validateReplicasPath(value: string, parent: string, path: string): FieldError[] {
  if (value === '') return [required(path, '')];
  const problems = validateDottedPath(value, path);
  if (problems.length > 0 || value.startsWith(`${parent}.`)) return problems;
  return [invalidValue(path, value, `should be a json path under ${parent}`)];
}

function validateDottedPath(value: string, path: string): FieldError[] {
  return value.startsWith('.') ? [] : [invalidValue(path, value, 'must be a simple json path starting with .')];
}
