import { type FieldError, forbiddenField, invalidValue, tooLong } from '@binnacle/apimachinery/status';
import {
  errorsOfEntries,
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
  const { data, binaryData } = object;
  const both = (key: string): FieldError[] =>
    binaryData !== undefined && Object.hasOwn(binaryData, key)
      ? [invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData')]
      : [];
  return [
    ...errorsOfEntries(data, (key) => [...invalidFor(`data[${key}]`, key, validateConfigMapKey(key)), ...both(key)]),
    ...errorsOfEntries(binaryData, (key) => invalidFor(`binaryData[${key}]`, key, validateConfigMapKey(key))),
    ...(total(data, utf8Length) + total(binaryData, decodedLength) > DATA_MAXIMUM ? [tooLong('', DATA_MAXIMUM)] : []),
  ];
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

/** The sum of the values' lengths. */
export function total(data: Readonly<Record<string, string>> | undefined, length: (value: string) => number): number {
  let sum = 0;
  for (const value of Object.values(data ?? {})) sum += length(value);
  return sum;
}

/** The number of bytes that a base64 text decodes to. */
export function decodedLength(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor((base64.length * 3) / 4) - padding;
}
