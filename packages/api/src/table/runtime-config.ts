import { formatGroupVersion, type GroupVersion } from '@binnacle/apimachinery/meta';
import type { Stability } from './resource-facts.js';
import { groupFacts, groups, resourceFacts, versionFacts } from './resources.js';
import { type ServedSet, servedSet } from './served-set.js';

/** A `--runtime-config` that cannot be followed. Its message is one sentence for the person who wrote it. */
export class RuntimeConfigError extends Error {
  override readonly name = 'RuntimeConfigError';
}

/** In the order in which they are applied: a later one overrides an earlier one. */
const levels: readonly (readonly [key: string, stability: Stability | undefined])[] = [
  ['api/all', undefined],
  ['api/ga', 'ga'],
  ['api/beta', 'beta'],
  ['api/alpha', 'alpha'],
];

const levelKeys: ReadonlySet<string> = new Set(levels.map(([key]) => key));

/** What a key that is no level speaks of. */
interface Target extends GroupVersion {
  readonly resource: string | undefined;
}

/**
 * Reads the text of `--runtime-config`: `key=true|false`, separated by commas; a key without a value turns on. A level
 * (`api/all`, then `api/ga`, `api/beta`, `api/alpha`) is overridden by a version (`apps/v1`; `v1` or `api/v1` for the core
 * group), and that by a resource (`apps/v1/deployments`), wherever they stand in the text; of a repeated key the last
 * counts. Without any, GA is served, beta and alpha are not.
 *
 * Throws {@link RuntimeConfigError}. Upstream: apiserver `server/resourceconfig`.
 */
export function resolveRuntimeConfig(text: string | undefined): ServedSet {
  const settings = parseSettings(text ?? '');
  if (settings.size === 1 && settings.get('api/all') === 'false') {
    throw new RuntimeConfigError('runtime-config with nothing but api/all=false leaves nothing to serve');
  }
  const versions = new Map<string, boolean>();
  for (const { group, versions: all } of groups()) {
    for (const each of all)
      versions.set(`${group}/${each.version}`, settingOf(settings, each.stability) ?? each.servedByDefault);
  }
  const overrides = new Map<string, boolean>();
  for (const [key, value] of settings) {
    if (levelKeys.has(key)) continue;
    const { group, version, resource } = parseTarget(key);
    if (resource === undefined) versions.set(`${group}/${version}`, parseSwitch(key, value));
    else overrides.set(`${group}/${version}/${resource}`, parseSwitch(key, value));
  }
  return servedSet(
    ({ group, version, resource }) =>
      overrides.get(`${group}/${version}/${resource}`) ?? versions.get(`${group}/${version}`) ?? false,
  );
}

function parseSettings(text: string): ReadonlyMap<string, string> {
  const settings = new Map<string, string>();
  for (const part of text.split(',')) {
    const trimmed = part.trim();
    if (trimmed === '') continue;
    const equals = trimmed.indexOf('=');
    if (equals < 0) settings.set(trimmed, '');
    else settings.set(trimmed.slice(0, equals).trim(), trimmed.slice(equals + 1).trim());
  }
  return settings;
}

/** What the levels say of a version; undefined when they say nothing. */
function settingOf(settings: ReadonlyMap<string, string>, stability: Stability): boolean | undefined {
  let setting: boolean | undefined;
  for (const [key, applies] of levels) {
    const value = settings.get(key);
    if (value === undefined || (applies !== undefined && applies !== stability)) continue;
    setting = parseSwitch(key, value);
  }
  return setting;
}

const switches: ReadonlyMap<string, boolean> = new Map([
  ...['', '1', 't', 'T', 'true', 'True', 'TRUE'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'false', 'False', 'FALSE'].map((text) => [text, false] as const),
]);

function parseSwitch(key: string, value: string): boolean {
  const parsed = switches.get(value);
  if (parsed === undefined)
    throw new RuntimeConfigError(`runtime-config ${key}=${value}: the value must be true or false`);
  return parsed;
}

function parseTarget(key: string): Target {
  const [first = '', second, third, ...rest] = key.split('/');
  const target: Target =
    second === undefined
      ? { group: '', version: first, resource: undefined }
      : { group: first === 'api' ? '' : first, version: second, resource: third };
  if (rest.length > 0)
    throw new RuntimeConfigError(`runtime-config key ${key} has more parts than group/version/resource`);
  if (groupFacts(target.group) === undefined) {
    throw new RuntimeConfigError(`runtime-config key ${key}: there is no API group ${target.group}`);
  }
  if (versionFacts(target) === undefined) {
    throw new RuntimeConfigError(`runtime-config key ${key}: there is no API version ${formatGroupVersion(target)}`);
  }
  if (target.resource !== undefined && resourceFacts({ ...target, resource: target.resource }) === undefined) {
    throw new RuntimeConfigError(
      `runtime-config key ${key}: ${formatGroupVersion(target)} has no resource ${target.resource} (a lower-case plural is wanted)`,
    );
  }
  return target;
}
