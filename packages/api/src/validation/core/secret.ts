import { Buffer } from 'node:buffer';
import { isObject, JsonNumberRangeError, JsonSyntaxError, parseJson } from '@binnacle/apimachinery/json';
import { type FieldError, forbiddenField, invalidValue, required, tooLong } from '@binnacle/apimachinery/status';
import {
  entryByEntry,
  invalidFor,
  nameIsDnsSubdomain,
  validateConfigMapKey,
  validateImmutable,
} from '@binnacle/apimachinery/validation';
import type { Steps } from '@binnacle/apimachinery/work';
import type { Secret } from '../../generated/types/core-v1.js';
import { finalizerDomains, wholeMetadata } from '../common.js';
import { DATA_MAXIMUM, decodedLength, IMMUTABLE_WHEN_SET, isSameData } from './config-map.js';

/** Upstream: `ValidateSecret`. Defaulting has merged stringData into data. */
export function* validateSecret(object: Secret): Steps<FieldError[]> {
  const data = object.data ?? {};
  let bytes = 0;
  const errors = yield* entryByEntry(data, (key, value) => {
    bytes += decodedLength(value);
    return invalidFor(`data[${key}]`, key, validateConfigMapKey(key));
  });
  if (bytes > DATA_MAXIMUM) errors.push(tooLong('data', DATA_MAXIMUM));
  return [...errors, ...typeErrors(object, data)];
}

export function* validateSecretUpdate(object: Secret, old: Secret): Steps<FieldError[]> {
  return [
    ...finalizerDomains(object),
    ...validateImmutable(object.type ?? '', old.type ?? '', 'type'),
    ...(old.immutable === true ? frozen(object, old) : []),
    ...wholeMetadata(object, true, nameIsDnsSubdomain),
    ...(yield* validateSecret(object)),
  ];
}

function frozen(object: Secret, old: Secret): FieldError[] {
  return [
    ...(object.immutable === true ? [] : [forbiddenField('immutable', IMMUTABLE_WHEN_SET)]),
    ...(isSameData(object.data, old.data) ? [] : [forbiddenField('data', IMMUTABLE_WHEN_SET)]),
  ];
}

function typeErrors(object: Secret, data: Readonly<Record<string, string>>): FieldError[] {
  const missing = (...keys: string[]): FieldError[] =>
    keys.filter((key) => !Object.hasOwn(data, key)).map((key) => required(`data[${key}]`, ''));
  switch (object.type) {
    case 'kubernetes.io/service-account-token':
      if (object.metadata?.annotations?.['kubernetes.io/service-account.name']) return [];
      return [required('metadata.annotations[kubernetes.io/service-account.name]', '')];
    case 'kubernetes.io/dockercfg':
      return dockerErrors(data, '.dockercfg');
    case 'kubernetes.io/dockerconfigjson':
      return dockerErrors(data, '.dockerconfigjson');
    case 'kubernetes.io/basic-auth': {
      const errors = missing('username', 'password');
      return errors.length === 2 ? errors : [];
    }
    case 'kubernetes.io/ssh-auth':
      return data['ssh-privatekey'] ? [] : [required('data[ssh-privatekey]', '')];
    case 'kubernetes.io/tls':
      return missing('tls.crt', 'tls.key');
    default:
      return [];
  }
}

function dockerErrors(data: Readonly<Record<string, string>>, key: string): FieldError[] {
  const content = Object.hasOwn(data, key) ? data[key] : undefined;
  if (content === undefined) return [required(`data[${key}]`, '')];
  const problem = jsonObjectProblem(Buffer.from(content, 'base64'));
  return problem === undefined ? [] : [invalidValue(`data[${key}]`, '<secret contents redacted>', problem)];
}

/** Go's error from decoding the bytes into a map; undefined if they decode. */
function jsonObjectProblem(bytes: Uint8Array): string | undefined {
  try {
    const { value } = parseJson(bytes);
    if (value === null || isObject(value)) return undefined;
    const kind = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
    return `json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`;
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof JsonNumberRangeError) return error.message;
    throw error;
  }
}
