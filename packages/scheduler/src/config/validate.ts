import { deepEqual } from '@binnacle/apimachinery/json';
import { asJson } from '@binnacle/apimachinery/meta';
import { duplicate, type FieldError, invalidValue, required } from '@binnacle/apimachinery/status';
import { EXTENSION_POINTS } from '../framework/index.js';
import { API_VERSION, type ConfigurationOfFile, type PluginSet, type ProfileOfFile } from './file-types.js';
import type { ArgsOfFile } from './plugin-args.js';
import { validateExtenders } from './validate-extenders.js';
import { argsValidators } from './validate-args.js';

/** Plugins that this version of the file no longer has. */
const REMOVED = new Set(['AzureDiskLimits', 'CinderLimits', 'EBSLimits', 'GCEPDLimits']);

/** `args`: those of each profile. Upstream: `ValidateKubeSchedulerConfiguration`. */
export function validateConfiguration(file: ConfigurationOfFile, args: readonly ArgsOfFile[]): FieldError[] {
  const { parallelism = 16, podInitialBackoffSeconds: first = 1, podMaxBackoffSeconds: longest = 10 } = file;
  const profiles = file.profiles ?? [];
  return [
    ...(parallelism <= 0
      ? [invalidValue('parallelism', parallelism, 'should be an integer value greater than zero')]
      : []),
    ...profiles.flatMap((profile, index) => validateProfile(profile, args[index] ?? {}, index, profiles)),
    ...validateQueueSort(profiles),
    ...validatePercentage(file.percentageOfNodesToScore, 'percentageOfNodesToScore'),
    ...(first <= 0 ? [invalidValue('podInitialBackoffSeconds', first, 'must be greater than 0')] : []),
    ...(longest < first
      ? [invalidValue('podMaxBackoffSeconds', longest, 'must be greater than or equal to PodInitialBackoffSeconds')]
      : []),
    ...validateExtenders(file.extenders ?? []),
  ];
}

function validatePercentage(percentage: number | undefined, field: string): FieldError[] {
  const isValid = percentage === undefined || (percentage >= 0 && percentage <= 100);
  return isValid ? [] : [invalidValue(field, percentage, 'not in valid range [0-100]')];
}

function validateProfile(
  profile: ProfileOfFile,
  args: ArgsOfFile,
  index: number,
  profiles: readonly ProfileOfFile[],
): FieldError[] {
  const path = `profiles[${index}]`;
  const name = nameOf(profile, profiles);
  const earlier = profiles.slice(0, index).findIndex((other) => nameOf(other, profiles) === name);
  return [
    ...(name === '' ? [required(`${path}.schedulerName`, '')] : []),
    ...validatePercentage(profile.percentageOfNodesToScore, `${path}.percentageOfNodesToScore`),
    ...EXTENSION_POINTS.flatMap((point) => validateSet(profile.plugins?.[point] ?? {}, `${path}.plugins.${point}`)),
    ...validatePluginConfig(profile, args, path),
    ...(earlier === -1 ? [] : [duplicate(`${path}.schedulerName`, `profiles[${earlier}].schedulerName`)]),
  ];
}

/** The name of a single profile may be left out. */
export function nameOf({ schedulerName }: ProfileOfFile, profiles: readonly ProfileOfFile[]): string {
  return schedulerName ?? (profiles.length === 1 ? 'default-scheduler' : '');
}

function validateSet({ enabled = [] }: PluginSet, path: string): FieldError[] {
  return enabled.flatMap(({ name = '' }, index) =>
    REMOVED.has(name) ? [removed(`${path}.enabled[${index}]`, name)] : [],
  );
}

function removed(field: string, name: string): FieldError {
  const version = JSON.stringify(API_VERSION);
  return invalidValue(
    field,
    name,
    `was invalid in version ${version} (KubeSchedulerConfiguration is version ${version})`,
  );
}

function validatePluginConfig({ pluginConfig = [] }: ProfileOfFile, args: ArgsOfFile, path: string): FieldError[] {
  const seen = new Set<string>();
  return pluginConfig.flatMap(({ name = '' }, index) => {
    const field = `${path}.pluginConfig[${index}]`;
    if (seen.has(name)) return [duplicate(field, name)];
    seen.add(name);
    return REMOVED.has(name) ? [removed(field, name)] : validateArgs(name, args, `${field}.args`);
  });
}

function validateArgs(name: string, args: ArgsOfFile, path: string): FieldError[] {
  return isConfigurable(name) ? validateOne(name, args[name], path) : [];
}

function isConfigurable(name: string): name is keyof ArgsOfFile {
  return Object.hasOwn(argsValidators, name);
}

function validateOne<K extends keyof ArgsOfFile>(name: K, given: ArgsOfFile[K], path: string): FieldError[] {
  return given === undefined ? [] : argsValidators[name](given, path);
}

/** All profiles share one queue. */
function validateQueueSort(profiles: readonly ProfileOfFile[]): FieldError[] {
  const sets = profiles.map(({ plugins }) => asJson(plugins?.queueSort ?? {}));
  const count = profiles[0]?.plugins?.queueSort?.enabled?.length ?? 0;
  const tooMany = 'only one queue sort plugin can be enabled';
  return [
    ...(count > 1 ? [invalidValue('profiles[0].plugins.queueSort.Enabled', count, tooMany)] : []),
    ...sets.flatMap((set, index) =>
      deepEqual(set, sets[0] ?? {})
        ? []
        : [invalidValue(`profiles[${index}].plugins.queueSort`, set, 'must be the same for all profiles')],
    ),
  ];
}
