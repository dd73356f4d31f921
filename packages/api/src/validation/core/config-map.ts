import { type FieldError, forbiddenField, invalidValue, tooLong } from '@binnacle/apimachinery/status';
import {
  entryByEntry,
  invalidFor,
  nameIsDnsSubdomain,
  semanticEqual,
  utf8Length,
  validateConfigMapKey,
} from '@binnacle/apimachinery/validation';
import type { Steps } from '@binnacle/apimachinery/work';
import type { ConfigMap } from '../../generated/types/core-v1.js';
import { finalizerDomains, wholeMetadata } from '../common.js';

/** Maximum bytes of data in a ConfigMap or Secret. */
export const DATA_MAXIMUM = 1024 * 1024;
export const IMMUTABLE_WHEN_SET = 'field is immutable when `immutable` is set';

/** Upstream: `ValidateConfigMap`. */
export function* validateConfigMap(object: ConfigMap): Steps<FieldError[]> {
  const { data, binaryData } = object;
  let bytes = 0;
  const both = (key: string): FieldError[] =>
    binaryData !== undefined && Object.hasOwn(binaryData, key)
      ? [invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData')]
      : [];
  const ofData = yield* entryByEntry(data, (key, value) => {
    bytes += utf8Length(value);
    return [...invalidFor(`data[${key}]`, key, validateConfigMapKey(key)), ...both(key)];
  });
  const ofBinaryData = yield* entryByEntry(binaryData, (key, value) => {
    bytes += decodedLength(value);
    return invalidFor(`binaryData[${key}]`, key, validateConfigMapKey(key));
  });
  return [...ofData, ...ofBinaryData, ...(bytes > DATA_MAXIMUM ? [tooLong('', DATA_MAXIMUM)] : [])];
}

export function* validateConfigMapUpdate(object: ConfigMap, old: ConfigMap): Steps<FieldError[]> {
  return [
    ...finalizerDomains(object),
    ...(old.immutable === true ? frozen(object, old) : []),
    ...wholeMetadata(object, true, nameIsDnsSubdomain),
    ...(yield* validateConfigMap(object)),
  ];
}

function frozen(object: ConfigMap, old: ConfigMap): FieldError[] {
  return [
    ...(object.immutable === true ? [] : [forbiddenField('immutable', IMMUTABLE_WHEN_SET)]),
    ...(semanticEqual(object.data, old.data) ? [] : [forbiddenField('data', IMMUTABLE_WHEN_SET)]),
    ...(isSameData(object.binaryData, old.binaryData) ? [] : [forbiddenField('binaryData', IMMUTABLE_WHEN_SET)]),
  ];
}

/** Whether two maps are the same. Empty data differs from none. Upstream: Go's `reflect.DeepEqual`. */
export function isSameData(data: Readonly<Record<string, string>> | undefined, old: typeof data): boolean {
  return (data === undefined) === (old === undefined) && semanticEqual(data, old);
}

/** The number of bytes that a base64 text decodes to. */
export function decodedLength(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor((base64.length * 3) / 4) - padding;
}
