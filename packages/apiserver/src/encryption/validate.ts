import { type FieldError, invalidValue, required } from '@binnacle/apimachinery/status';
import { parseDuration } from '@binnacle/apimachinery/time';
import { type EncryptionFile, type KeyFile, type KmsFile, type ProviderFile, PROVIDERS } from './configuration.js';
import { validateResources } from './validate-resources.js';

const AES_KEYS = [16, 24, 32];
const SECRETBOX_KEYS = [32];
/** What an error shows of a secret. */
const REDACTED = 'REDACTED';
const NO_PROVIDER = 'provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity';
const SEVERAL_PROVIDERS =
  'more than one provider specified in a single element, should split into different list elements';

/**
 * Upstream's errors of a configuration; `reloads`: the file is read again when it changes. Errors of a provider name what it
 * has, and not its keys. Upstream: apiserver `pkg/apis/apiserver/validation/validation_encryption.go`.
 */
export function validateEncryption({ resources = [] }: EncryptionFile, reloads: boolean): FieldError[] {
  if (resources.length === 0) return [required('resources', 'at least one resources is required')];
  const kmsNames = new Set<string>();
  return resources.flatMap(({ resources: names = [], providers = [] }, index) => {
    const path = `resources[${index}].providers`;
    return [
      ...validateResources(names, `resources[${index}].resources`),
      ...(providers.length === 0 ? [required(path, `at least one ${path} is required`)] : []),
      ...providers.flatMap((provider, position) =>
        validateProvider(provider, `${path}[${position}]`, kmsNames, reloads),
      ),
    ];
  });
}

function validateProvider(provider: ProviderFile, path: string, kmsNames: Set<string>, reloads: boolean): FieldError[] {
  const given = PROVIDERS.filter((name) => provider[name] !== undefined);
  if (given.length === 0) return [invalidValue(path, {}, NO_PROVIDER)];
  const { kms, aesgcm, aescbc, secretbox } = provider;
  const several = given.length > 1 ? [invalidValue(path, given, SEVERAL_PROVIDERS)] : [];
  if (kms !== undefined) {
    const errors = validateKms(kms, `${path}.kms`, kmsNames, reloads);
    kmsNames.add(kms.name ?? '');
    return [...several, ...errors];
  }
  if (aesgcm !== undefined) return [...several, ...validateKeys(aesgcm.keys, `${path}.aesgcm.keys`, AES_KEYS)];
  if (aescbc !== undefined) return [...several, ...validateKeys(aescbc.keys, `${path}.aescbc.keys`, AES_KEYS)];
  if (secretbox === undefined) return several;
  return [...several, ...validateKeys(secretbox.keys, `${path}.secretbox.keys`, SECRETBOX_KEYS)];
}

function validateKeys(keys: readonly KeyFile[] = [], path: string, lengths: readonly number[]): FieldError[] {
  if (keys.length === 0) return [required(path, 'at least one keys is required')];
  return keys.flatMap((key, index) => validateKey(key, `${path}[${index}]`, lengths));
}

function validateKey({ name = '', secret = '' }: KeyFile, path: string, lengths: readonly number[]): FieldError[] {
  const errors = name === '' ? [required(`${path}.name`, 'name is a mandatory field for a key')] : [];
  if (secret === '') return [...errors, required(`${path}.secret`, 'secret is a mandatory field for a key')];
  const bytes = decodeBase64(secret);
  if (bytes === undefined)
    return [...errors, invalidValue(`${path}.secret`, REDACTED, 'secrets must be base64 encoded')];
  if (lengths.includes(bytes.length)) return errors;
  const detail = `secret is not of the expected length, got ${bytes.length}, expected one of [${lengths.join(' ')}]`;
  return [...errors, invalidValue(`${path}.secret`, REDACTED, detail)];
}

/** As Go decodes it: padded, and with line breaks anywhere. Undefined: not base64. */
export function decodeBase64(text: string): Buffer | undefined {
  const compact = text.replace(/[\r\n]/g, '');
  if (compact.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(compact)) return undefined;
  return Buffer.from(compact, 'base64');
}

function validateKms(kms: KmsFile, path: string, names: ReadonlySet<string>, reloads: boolean): FieldError[] {
  const { name = '', apiVersion: version = 'v1', cachesize, timeout = '3s' } = kms;
  const errors = name === '' ? [required(`${path}.name`, 'name is a mandatory field for a provider')] : [];
  if (version !== 'v1' && name.includes(':')) {
    errors.push(invalidValue(`${path}.name`, name, `invalid KMS provider name ${name}, must not contain ':'`));
  }
  if ((reloads || version !== 'v1') && names.has(name)) {
    errors.push(invalidValue(`${path}.name`, name, `duplicate KMS provider name ${name}, names must be unique`));
  }
  if (parseDuration(timeout) <= 0n) {
    errors.push(invalidValue(`${path}.timeout`, timeout, 'timeout should be a positive value'));
  }
  errors.push(...validateEndpoint(kms.endpoint ?? '', `${path}.endpoint`));
  if (version !== 'v1' && cachesize !== undefined) {
    errors.push(invalidValue(`${path}.cachesize`, cachesize, 'cachesize is not supported in v2'));
  }
  if (version === 'v1' && cachesize === 0) {
    const detail = 'cachesize should be a positive value, or negative to disable';
    errors.push(invalidValue(`${path}.cachesize`, cachesize, detail));
  }
  if (version !== 'v1' && version !== 'v2') {
    const detail = 'unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported';
    errors.push(invalidValue(`${path}.apiVersion`, version, detail));
  }
  return errors;
}

function validateEndpoint(endpoint: string, path: string): FieldError[] {
  if (endpoint === '') return [invalidValue(path, '', 'endpoint is a mandatory field for a kms')];
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(endpoint)?.[1]?.toLowerCase() ?? '';
  if (scheme === 'unix') return [];
  const detail = `unsupported scheme ${JSON.stringify(scheme)} for KMS provider, only unix is supported`;
  return [invalidValue(path, endpoint, detail)];
}
