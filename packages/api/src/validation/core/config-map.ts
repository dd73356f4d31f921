import { type FieldError, forbiddenField, invalidValue, tooLong } from '@binnacle/apimachinery/status';
import {
  invalidFor,
  nameIsDnsSubdomain,
  semanticEqual,
  utf8Length,
  validateConfigMapKey,
} from '@binnacle/apimachinery/validation';
import type { ConfigMap } from '../../generated/types/core-v1.js';
import { finalizerDomains, wholeMetadata } from '../common.js';

/** Maximum bytes of data in a ConfigMap or Secret. */
export const DATA_MAXIMUM = 1024 * 1024;
export const IMMUTABLE_WHEN_SET = 'field is immutable when `immutable` is set';

/** Upstream: `ValidateConfigMap`. */
export function validateConfigMap(object: ConfigMap): FieldError[] {
  const binary = object.binaryData ?? {};
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(object.data ?? {})) {
    errors.push(...invalidFor(`data[${key}]`, key, validateConfigMapKey(key)));
    if (Object.hasOwn(binary, key)) {
      errors.push(invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData'));
    }
    size += utf8Length(value);
  }
  for (const [key, value] of Object.entries(binary)) {
    errors.push(...invalidFor(`binaryData[${key}]`, key, validateConfigMapKey(key)));
    size += decodedLength(value);
  }
  if (size > DATA_MAXIMUM) errors.push(tooLong('', DATA_MAXIMUM));
  return errors;
}

export function validateConfigMapUpdate(object: ConfigMap, old: ConfigMap): FieldError[] {
  return [
    ...finalizerDomains(object),
    ...(old.immutable === true ? frozen(object, old) : []),
    ...wholeMetadata(object, true, nameIsDnsSubdomain),
    ...validateConfigMap(object),
  ];
}

function frozen(object: ConfigMap, old: ConfigMap): FieldError[] {
  return [
    ...(object.immutable === true ? [] : [forbiddenField('immutable', IMMUTABLE_WHEN_SET)]),
    ...(semanticEqual(object.data, old.data) ? [] : [forbiddenField('data', IMMUTABLE_WHEN_SET)]),
    ...(semanticEqual(object.binaryData, old.binaryData) ? [] : [forbiddenField('binaryData', IMMUTABLE_WHEN_SET)]),
  ];
}

/** The number of bytes that a base64 text decodes to. */
export function decodedLength(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor((base64.length * 3) / 4) - padding;
}
