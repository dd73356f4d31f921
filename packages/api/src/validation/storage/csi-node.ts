import { duplicate, type FieldError, invalidValue, required } from '@binnacle/apimachinery/status';
import {
  errorsOfEach,
  IMMUTABLE_MESSAGE,
  nameIsDnsSubdomain,
  semanticEqual,
  utf8Length,
  validateNonNegative,
} from '@binnacle/apimachinery/validation';
import type { CSINode, CSINodeDriver } from '../../generated/types/storage-v1.js';
import { each, list, qualifiedName, wholeMetadata } from '../common.js';
import { type GoStruct, shownStruct } from '../go-struct.js';
import { validateDriverName } from '../volumes/volume-drivers.js';

// Upstream: `ValidateCSINode`.

const NODE_ID_MAXIMUM = 256;
const DRIVER: GoStruct = {
  Name: ['name', ''],
  NodeID: ['nodeID', ''],
  TopologyKeys: ['topologyKeys', null],
  Allocatable: ['allocatable', null],
};

export function validateCSINode(object: CSINode): FieldError[] {
  const seen = new Set<string>();
  return each(object.spec?.drivers, 'spec.drivers', (driver, path) => {
    const { name = '', nodeID = '' } = driver as Partial<CSINodeDriver>;
    const errors = [
      ...validateDriverName(name, `${path}.name`),
      ...(nodeID === '' ? [required(`${path}.nodeID`, '')] : []),
      ...(utf8Length(nodeID) > NODE_ID_MAXIMUM
        ? [invalidValue(`${path}.nodeID`, nodeID, `must be ${NODE_ID_MAXIMUM} characters or less`)]
        : []),
      ...validateNonNegative(driver.allocatable?.count, `${path}.allocatable.count`),
      ...(seen.has(name) ? [duplicate(`${path}.name`, name)] : []),
    ];
    seen.add(name);
    return [...errors, ...topologyKeys(list(driver.topologyKeys), path)];
  });
}

function topologyKeys(keys: readonly string[], field: string): FieldError[] {
  const seen = new Set<string>();
  return keys.flatMap((key) => {
    const errors = key === '' ? [required(field, '')] : [];
    if (seen.has(key)) errors.push(duplicate(field, key));
    seen.add(key);
    return [...errors, ...qualifiedName(key, field)];
  });
}

/** A driver's entry is immutable, except for its volume limit. */
export function validateCSINodeUpdate(object: CSINode, old: CSINode): FieldError[] {
  const before = new Map(list(old.spec?.drivers).map((driver) => [driver.name, driver]));
  const changed = errorsOfEach(object.spec?.drivers, (driver) => {
    const { allocatable: _, ...fields } = driver;
    const { allocatable: __, ...same } = before.get(driver.name) ?? driver;
    return semanticEqual(fields, same)
      ? []
      : [invalidValue('spec.drivers', shownStruct(fields, DRIVER), IMMUTABLE_MESSAGE)];
  });
  return [...wholeMetadata(object, false, nameIsDnsSubdomain), ...validateCSINode(object), ...changed];
}
