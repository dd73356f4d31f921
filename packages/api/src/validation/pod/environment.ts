import { type FieldError, invalidValue, notSupported, required } from '@binnacle/apimachinery/status';
import {
  invalidFor,
  nameIsDnsSubdomain,
  validateConfigMapKey,
  validateEnvironmentVariableName,
} from '@binnacle/apimachinery/validation';
import type {
  EnvFromSource,
  EnvVar,
  EnvVarSource,
  FileKeySelector,
  ObjectFieldSelector,
  ResourceFieldSelector,
} from '../../generated/types/core-v1.js';
import { each, qualifiedName, requireDnsLabel, requireText } from '../common.js';
import { noBacksteps } from '../file-paths.js';

// Upstream: `ValidateEnv`, `ValidateEnvFrom`.

const ENVIRONMENT_FIELDS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
const CONTAINER_RESOURCES = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];
const CONVERTIBLE_FIELDS: ReadonlySet<string> = new Set([
  ...ENVIRONMENT_FIELDS,
  'metadata.annotations',
  'metadata.labels',
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
]);

export function validateEnvironment(variables: readonly EnvVar[] | undefined, field: string): FieldError[] {
  return each(variables, field, (variable, path) => [
    ...(variable.name
      ? invalidFor(`${path}.name`, variable.name, validateEnvironmentVariableName(variable.name))
      : [required(`${path}.name`, '')]),
    ...valueFrom(variable, `${path}.valueFrom`),
  ]);
}

function valueFrom(variable: EnvVar, field: string): FieldError[] {
  const source = variable.valueFrom;
  if (source === undefined) return [];
  const errors = sourceErrors(source, field);
  const count = Object.values(source).filter((value) => value !== undefined).length;
  if (count === 0) {
    const names = '`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
    errors.push(invalidValue(field, '', `must specify one of: ${names}`));
  } else if (variable.value) {
    errors.push(invalidValue(field, '', 'may not be specified when `value` is not empty'));
  } else if (count > 1) {
    errors.push(invalidValue(field, '', 'may not have more than one field specified at a time'));
  }
  return errors;
}

function sourceErrors(source: EnvVarSource, field: string): FieldError[] {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = source;
  return [
    ...(fieldRef ? validateObjectField(fieldRef, ENVIRONMENT_FIELDS, `${field}.fieldRef`) : []),
    ...(resourceFieldRef ? validateResourceField(resourceFieldRef, `${field}.resourceFieldRef`, false) : []),
    ...(configMapKeyRef ? keySelector(configMapKeyRef, `${field}.configMapKeyRef`) : []),
    ...(secretKeyRef ? keySelector(secretKeyRef, `${field}.secretKeyRef`) : []),
    ...(fileKeyRef ? fileKeySelector(fileKeyRef, `${field}.fileKeyRef`) : []),
  ];
}

function fileKeySelector({ key, volumeName, path }: Partial<FileKeySelector>, field: string): FieldError[] {
  return [
    ...(key ? invalidFor(`${field}.key`, key, validateEnvironmentVariableName(key)) : [required(`${field}.key`, '')]),
    ...requireDnsLabel(volumeName, `${field}.volumeName`),
    ...(path ? noBacksteps(path, `${field}.path`) : [required(`${field}.path`, '')]),
  ];
}

function keySelector(selector: { name?: string | undefined; key: string }, field: string): FieldError[] {
  const name = selector.name ?? '';
  return [
    ...invalidFor(`${field}.name`, name, nameIsDnsSubdomain(name, false)),
    ...(selector.key
      ? invalidFor(`${field}.key`, selector.key, validateConfigMapKey(selector.key))
      : [required(`${field}.key`, '')]),
  ];
}

/** The parts of `path['key']`; undefined for another text. */
function subscriptOf(text: string): { readonly path: string; readonly key: string } | undefined {
  const [opening, closing] = ["['", "']"];
  if (!text.endsWith(closing)) return undefined;
  const start = text.lastIndexOf(opening, text.length - opening.length - closing.length);
  if (start < 1) return undefined;
  return { path: text.slice(0, start), key: text.slice(start + opening.length, -closing.length) };
}

/** A field reference in an environment variable or a file; `allowed` is sorted. */
export function validateObjectField(
  selector: ObjectFieldSelector,
  allowed: readonly string[],
  field: string,
): FieldError[] {
  if (!selector.apiVersion) return [required(`${field}.apiVersion`, '')];
  if (!selector.fieldPath) return [required(`${field}.fieldPath`, '')];
  const subscripted = subscriptOf(selector.fieldPath);
  const path = subscripted?.path ?? selector.fieldPath;
  if (!CONVERTIBLE_FIELDS.has(path)) {
    const detail = `error converting fieldPath: field label not supported: ${selector.fieldPath}`;
    return [invalidValue(`${field}.fieldPath`, selector.fieldPath, detail)];
  }
  if (subscripted !== undefined) {
    const { key } = subscripted;
    if (path === 'metadata.annotations') return qualifiedName(key.toLowerCase(), field);
    if (path === 'metadata.labels') return qualifiedName(key, field);
    return [invalidValue(field, path, 'does not support subscript')];
  }
  return allowed.includes(path) ? [] : [notSupported(`${field}.fieldPath`, path, allowed)];
}

export function validateResourceField(selector: ResourceFieldSelector, field: string, inVolume: boolean): FieldError[] {
  if (inVolume && !selector.containerName) return [required(`${field}.containerName`, '')];
  if (!selector.resource) return [required(`${field}.resource`, '')];
  if (CONTAINER_RESOURCES.includes(selector.resource)) return [];
  if (/^(?:requests|limits)\.hugepages-/.test(selector.resource)) return [];
  return [notSupported(`${field}.resource`, selector.resource, CONTAINER_RESOURCES)];
}

export function validateEnvironmentSources(sources: readonly EnvFromSource[] | undefined, field: string): FieldError[] {
  return each(sources, field, (source, path) => {
    const errors: FieldError[] = [];
    if (source.prefix) {
      errors.push(...invalidFor(`${path}.prefix`, source.prefix, validateEnvironmentVariableName(source.prefix)));
    }
    const references = (['configMapRef', 'secretRef'] as const).filter((name) => source[name] !== undefined);
    for (const name of references) errors.push(...reference(source[name]?.name, `${path}.${name}.name`));
    if (references.length === 0) {
      errors.push(invalidValue(field, '', 'must specify one of: `configMapRef` or `secretRef`'));
    } else if (references.length > 1) {
      errors.push(invalidValue(field, '', 'may not have more than one field specified at a time'));
    }
    return errors;
  });
}

function reference(name: string | undefined, field: string): FieldError[] {
  return name ? invalidFor(field, name, nameIsDnsSubdomain(name, true)) : requireText(name, field);
}
