import { duplicate, type FieldError, invalidValue, required, tooLong } from '@binnacle/apimachinery/status';
import {
  nameIsDnsSubdomain,
  utf8Length,
  validateImmutable,
  validateLabelName,
} from '@binnacle/apimachinery/validation';
import type { TopologySelectorLabelRequirement, TopologySelectorTerm } from '../../generated/types/core-v1.js';
import type { StorageClass } from '../../generated/types/storage-v1.js';
import {
  each,
  finalizerDomains,
  list,
  optionalOneOf,
  qualifiedName,
  requireOneOf,
  requireText,
  wholeMetadata,
} from '../common.js';

// Upstream: `ValidateStorageClass`.

const PARAMETERS_MAXIMUM = 512;
const PARAMETERS_SIZE_MAXIMUM = 256 * 1024;

export function validateStorageClass(object: StorageClass): FieldError[] {
  return [
    ...validateProvisioner(object.provisioner, 'provisioner'),
    ...validateProvisionerParameters(object.parameters, 'parameters', true),
    ...optionalOneOf(object.reclaimPolicy || undefined, ['Delete', 'Retain'], 'reclaimPolicy'),
    ...requireOneOf(object.volumeBindingMode, ['Immediate', 'WaitForFirstConsumer'], 'volumeBindingMode'),
    ...topologies(object.allowedTopologies, 'allowedTopologies'),
  ];
}

/** A qualified name in any case. Messages show it in lower case. */
export function validateProvisioner(provisioner: string | undefined, field: string): FieldError[] {
  return provisioner ? qualifiedName(provisioner.toLowerCase(), field) : requireText(provisioner, field);
}

export function validateProvisionerParameters(
  parameters: Readonly<Record<string, string>> | undefined,
  field: string,
  allowEmpty: boolean,
): FieldError[] {
  const entries = Object.entries(parameters ?? {});
  if (entries.length > PARAMETERS_MAXIMUM) return [tooLong(field, PARAMETERS_MAXIMUM)];
  const errors = entries.some(([key]) => key === '') ? [invalidValue(field, '', 'field can not be empty.')] : [];
  const size = entries.reduce((sum, [key, value]) => sum + utf8Length(key) + utf8Length(value), 0);
  if (size > PARAMETERS_SIZE_MAXIMUM) errors.push(tooLong(field, PARAMETERS_SIZE_MAXIMUM));
  if (!allowEmpty && entries.length === 0) errors.push(required(field, 'must contain at least one key/value pair'));
  return errors;
}

function topologies(terms: readonly TopologySelectorTerm[] | undefined, field: string): FieldError[] {
  // Upstream allocates the seen terms with zero values, so an empty term counts as a duplicate.
  const seen = new Set<string>([identity({})]);
  return each(terms, field, (term, path) => {
    const errors = labelExpressions(term.matchLabelExpressions, `${path}.matchLabelExpressions`);
    const key = identity(term);
    if (seen.has(key)) errors.push(duplicate(`${path}.matchLabelExpressions`, ''));
    seen.add(key);
    return errors;
  });
}

function identity(term: TopologySelectorTerm): string {
  const values = new Map(list(term.matchLabelExpressions).map(({ key, values }) => [key, [...new Set(values)].sort()]));
  return JSON.stringify([...values].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function labelExpressions(
  requirements: readonly TopologySelectorLabelRequirement[] | undefined,
  field: string,
): FieldError[] {
  const seen = new Set<string>();
  return each(requirements, field, (requirement, path) => {
    const { key = '', values } = requirement as Partial<TopologySelectorLabelRequirement>;
    const known = new Set<string>();
    const errors = [
      ...(list(values).length === 0 ? [required(`${path}.values`, '')] : []),
      ...each(values, `${path}.values`, (value, valuePath) => {
        const repeated = known.has(value) ? [duplicate(valuePath, value)] : [];
        known.add(value);
        return repeated;
      }),
      ...validateLabelName(key, `${path}.key`),
      ...(seen.has(key) ? [duplicate(`${path}.key`, key)] : []),
    ];
    seen.add(key);
    return errors;
  });
}

export function validateStorageClassUpdate(object: StorageClass, old: StorageClass): FieldError[] {
  return [
    ...wholeMetadata(object, false, nameIsDnsSubdomain),
    ...validateStorageClass(object),
    ...finalizerDomains(object),
    ...validateImmutable(object.parameters, old.parameters, 'parameters'),
    ...validateImmutable(object.provisioner, old.provisioner, 'provisioner'),
    ...validateImmutable(object.reclaimPolicy, old.reclaimPolicy, 'reclaimPolicy'),
    ...validateImmutable(object.volumeBindingMode, old.volumeBindingMode, 'volumeBindingMode'),
  ];
}
