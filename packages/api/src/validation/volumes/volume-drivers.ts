import { type FieldError, invalidValue, notSupported, required, tooLong } from '@binnacle/apimachinery/status';
import {
  errorsOfEach,
  errorsOfEntries,
  invalidFor,
  utf8Length,
  validateDns1123Subdomain,
  validateRange,
} from '@binnacle/apimachinery/validation';
import type {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  FCVolumeSource,
  FlockerVolumeSource,
  GCEPersistentDiskVolumeSource,
  QuobyteVolumeSource,
} from '../../generated/types/core-v1.js';
import { dnsLabel, list, optionalOneOf, requireText } from '../common.js';

// Sources that pods and persistent volumes share. Upstream: `pkg/apis/core/validation`, `validate*VolumeSource`.

const DRIVER_NAME_MAXIMUM = 63;
const PARTITION_MAXIMUM = 255;
const TENANT_MAXIMUM = 64;

/** A CSI driver's name: a DNS subdomain of at most 63 bytes, in any case. */
export function validateDriverName(name: string | undefined, field: string): FieldError[] {
  if (!name) return [required(field, '')];
  return [
    ...(utf8Length(name) > DRIVER_NAME_MAXIMUM ? [tooLong(field, DRIVER_NAME_MAXIMUM)] : []),
    ...invalidFor(field, name, validateDns1123Subdomain(name.toLowerCase())),
  ];
}

/** String and list fields that are required. */
export function requireFields(source: object, names: readonly string[], field: string): FieldError[] {
  const given = source as Readonly<Record<string, unknown>>;
  const missing = (value: unknown): boolean => (Array.isArray(value) ? value.length === 0 : !value);
  return names.filter((name) => missing(given[name])).map((name) => required(`${field}.${name}`, ''));
}

function partition(value: number | undefined, field: string): FieldError[] {
  const given = value ?? 0;
  // The message says 1, but upstream accepts 0, which means absent.
  return given < 0 || given > PARTITION_MAXIMUM
    ? [invalidValue(field, given, `must be between 1 and ${PARTITION_MAXIMUM}, inclusive`)]
    : [];
}

export function validateGcePersistentDisk(source: GCEPersistentDiskVolumeSource, field: string): FieldError[] {
  return [...requireFields(source, ['pdName'], field), ...partition(source.partition, `${field}.partition`)];
}

export function validateAwsElasticBlockStore(source: AWSElasticBlockStoreVolumeSource, field: string): FieldError[] {
  return [...requireFields(source, ['volumeID'], field), ...partition(source.partition, `${field}.partition`)];
}

export function validateFlocker(source: FlockerVolumeSource, field: string): FieldError[] {
  const { datasetName = '', datasetUUID = '' } = source;
  const errors: FieldError[] = [];
  if (datasetName === '' && datasetUUID === '') {
    errors.push(required(field, 'one of datasetName and datasetUUID is required'));
  }
  if (datasetName !== '' && datasetUUID !== '') {
    errors.push(invalidValue(field, 'resource', 'datasetName and datasetUUID can not be specified simultaneously'));
  }
  if (datasetName.includes('/')) {
    errors.push(invalidValue(`${field}.datasetName`, datasetName, "must not contain '/'"));
  }
  return errors;
}

export function validateQuobyte(source: QuobyteVolumeSource, field: string): FieldError[] {
  const registry = source.registry ?? '';
  const pairs = 'must be a host:port pair or multiple pairs separated by commas';
  const errors: FieldError[] = [];
  if (registry === '') errors.push(required(`${field}.registry`, pairs));
  else if (utf8Length(source.tenant ?? '') > TENANT_MAXIMUM) {
    errors.push(required(`${field}.tenant`, 'must be a UUID and may not exceed a length of 64 characters'));
  } else {
    const wrong = [invalidValue(`${field}.registry`, registry, pairs)];
    errors.push(...errorsOfEach(registry.split(','), (pair) => (isHostAndPort(pair) ? [] : wrong)));
  }
  return [...errors, ...requireText(source.volume, `${field}.volume`)];
}

/** `host:port` or `[host]:port`; either part may be empty. */
function isHostAndPort(text: string): boolean {
  const colon = text.lastIndexOf(':');
  if (colon < 0) return false;
  const host = text.slice(0, colon);
  if (/[[\]]/.test(text.slice(colon))) return false;
  if (host.startsWith('[')) return host.endsWith(']') && !/[[\]]/.test(host.slice(1, -1));
  return !/[[\]:]/.test(host);
}

export function validateFibreChannel(source: FCVolumeSource, field: string): FieldError[] {
  const names = list(source.targetWWNs);
  const path = `${field}.targetWWNs`;
  const errors: FieldError[] = [];
  if (names.length === 0) {
    if (list(source.wwids).length > 0) return [];
    return [required(path, 'must specify either targetWWNs or wwids, but not both')];
  }
  if (list(source.wwids).length > 0) {
    errors.push(invalidValue(path, names, 'targetWWNs and wwids can not be specified simultaneously'));
  }
  if (source.lun === undefined) errors.push(required(`${field}.lun`, 'lun is required if targetWWNs is specified'));
  else errors.push(...invalidFor(`${field}.lun`, source.lun, validateRange(source.lun, 0, 255)));
  return errors;
}

/** Options of flex drivers. */
export function validateFlexOptions(
  options: Readonly<Record<string, string>> | undefined,
  field: string,
): FieldError[] {
  return errorsOfEntries(options, (key) => {
    const namespace = `.${(key.split('/', 1)[0] ?? '').toLowerCase()}`;
    if (!namespace.endsWith('.kubernetes.io') && !namespace.endsWith('.k8s.io')) return [];
    return [invalidValue(`${field}[${key}]`, key, 'kubernetes.io and k8s.io namespaces are reserved')];
  });
}

export function validateAzureDisk(source: AzureDiskVolumeSource, field: string): FieldError[] {
  const { kind, cachingMode } = source;
  const uri = source.diskURI ?? '';
  const errors = [
    ...requireFields(source, ['diskName', 'diskURI'], field),
    ...optionalOneOf(cachingMode, ['None', 'ReadOnly', 'ReadWrite'], `${field}.cachingMode`),
    ...optionalOneOf(kind, ['Dedicated', 'Managed', 'Shared'], `${field}.kind`),
  ];
  if (kind === undefined) return errors;
  const [prefix, form] =
    kind === 'Managed'
      ? [
          '/subscriptions/',
          '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}',
        ]
      : ['https://', 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd'];
  return uri.startsWith(prefix) ? errors : [...errors, notSupported(`${field}.diskURI`, uri, [form])];
}

/** The names of a StorageOS volume. Its secret is validated separately. */
export function validateStorageOsNames(
  source: { readonly volumeName?: string | undefined; readonly volumeNamespace?: string | undefined },
  field: string,
): FieldError[] {
  return [
    ...(source.volumeName ? dnsLabel(source.volumeName, `${field}.volumeName`) : [required(`${field}.volumeName`, '')]),
    ...(source.volumeNamespace ? dnsLabel(source.volumeNamespace, `${field}.volumeNamespace`) : []),
  ];
}
