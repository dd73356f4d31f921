import { type FieldError, forbiddenField, invalidValue, required } from '@binnacle/apimachinery/status';
import { errorsOfEach } from '@binnacle/apimachinery/validation';
import type { KeyToPath, VolumeProjection } from '../../generated/types/core-v1.js';
import { each, requireText } from '../common.js';
import { nonReservedPath } from '../file-paths.js';
import { validateDownwardFile, validateKeyToPath } from './volume-files.js';

const MINIMUM_TOKEN_SECONDS = 600;
const MAXIMUM_TOKEN_SECONDS = 2 ** 32;

/** Upstream: `validateProjectionSources`. No two sources may write the same path. */
export function validateProjections(sources: readonly VolumeProjection[] | undefined, field: string): FieldError[] {
  const taken = new Set<string>();
  const claim = (path: string, shown: string): FieldError[] => {
    if (path === '') return [];
    if (taken.has(path)) return [invalidValue(field, shown, 'conflicting duplicate paths')];
    taken.add(path);
    return [];
  };
  const keys = (name: string | undefined, items: readonly KeyToPath[] | undefined, path: string): FieldError[] => [
    ...requireText(name, `${path}.name`),
    ...each(items, `${path}.items`, (item, itemPath) => [
      ...validateKeyToPath(item, itemPath),
      ...claim(item.path ?? '', name ?? ''),
    ]),
  ];
  return each(sources, `${field}.sources`, (source, path) => {
    const { secret, configMap, downwardAPI, serviceAccountToken } = source;
    const errors: FieldError[] = [];
    if (secret !== undefined) errors.push(...keys(secret.name, secret.items, `${path}.secret`));
    if (configMap !== undefined) errors.push(...keys(configMap.name, configMap.items, `${path}.configMap`));
    const ofFiles = errorsOfEach(downwardAPI?.items, (file) => [
      ...validateDownwardFile(file, `${path}.downwardAPI`),
      ...claim(file.path ?? '', file.path ?? ''),
    ]);
    errors.push(...ofFiles);
    if (serviceAccountToken !== undefined)
      errors.push(...token(serviceAccountToken, `${path}.serviceAccountToken`, field));
    if (Object.values(source).filter((value) => value !== undefined).length > 1) {
      errors.push(forbiddenField(path, 'may not specify more than 1 volume type per source'));
    }
    return errors;
  });
}

function token(
  source: NonNullable<VolumeProjection['serviceAccountToken']>,
  path: string,
  field: string,
): FieldError[] {
  const seconds = source.expirationSeconds ?? 0;
  const errors: FieldError[] = [];
  if (seconds < MINIMUM_TOKEN_SECONDS) {
    errors.push(invalidValue(`${path}.expirationSeconds`, seconds, 'may not specify a duration less than 10 minutes'));
  }
  if (seconds > MAXIMUM_TOKEN_SECONDS) {
    const detail = 'may not specify a duration larger than 2^32 seconds';
    errors.push(invalidValue(`${path}.expirationSeconds`, seconds, detail));
  }
  if (!source.path) return [...errors, required(`${field}.path`, '')];
  return [...errors, ...nonReservedPath(source.path, `${field}.path`)];
}
