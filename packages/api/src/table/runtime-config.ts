import { formatGroupVersion, type GroupVersion } from '@binnacle/apimachinery/meta';
import type { Stability } from './resource-facts.js';
import { groups, isKnownGroup, otherVersion, versionFacts } from './resources.js';
import { type ServedSet, servedSet } from './served-set.js';

/** An invalid `--runtime-config`. The message is upstream's, on one line. */
export class RuntimeConfigError extends Error {
  override readonly name = 'RuntimeConfigError';
}

/** In order of application: a later level overrides an earlier one. */
const levels: readonly (readonly [key: string, stability: Stability | undefined])[] = [
  ['api/all', undefined],
  ['api/ga', 'ga'],
  ['api/beta', 'beta'],
  ['api/alpha', 'alpha'],
];

const levelKeys: ReadonlySet<string> = new Set(levels.map(([key]) => key));

/** A version or a resource that is enabled or disabled by name. */
interface Target extends GroupVersion {
  readonly key: string;
  readonly value: string;
  readonly resource: string | undefined;
}

/**
 * Parses `--runtime-config`: `key=true|false`, separated by commas; a key without a value enables. By default GA is
 * served, beta and alpha are not.
 *
 * Precedence, lowest first; the order in the text does not matter, and the last of repeated keys wins:
 * - levels: `api/all`, then `api/ga`, `api/beta` and `api/alpha`;
 * - versions: `apps/v1`, and `v1` or `api/v1` for the core group;
 * - resources: `apps/v1/deployments`.
 *
 * A version that the release knows but cannot serve, such as `extensions/v1beta1`, has no effect, nor has an unknown
 * resource of a version.
 *
 * Throws {@link RuntimeConfigError}. Upstream: apiserver `server/resourceconfig`, `server/options/api_enablement.go`.
 */
export function resolveRuntimeConfig(text: string | undefined): ServedSet {
  const settings = parseSettings(text ?? '');
  if (settings.size === 1 && settings.get('api/all') === 'false') {
    throw new RuntimeConfigError('invalid runtime-config with only api/all=false');
  }
  const targets = [...settings].filter(([key]) => !levelKeys.has(key)).map(([key, value]) => parseTarget(key, value));
  refuseUnknownGroups(targets);
  const versions = new Map<string, boolean>();
  for (const { group, versions: all } of groups()) {
    for (const each of all)
      versions.set(`${group}/${each.version}`, settingOf(settings, each.stability) ?? each.servedByDefault);
  }
  const overrides = new Map<string, boolean>();
  for (const target of targets) {
    const { group, version, resource } = target;
    const enabled = switchOf(target);
    if (resource === undefined) versions.set(`${group}/${version}`, enabled);
    else overrides.set(`${group}/${version}/${resource}`, enabled);
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

/** The setting of the levels for a stability; undefined if none applies. */
function settingOf(settings: ReadonlyMap<string, string>, stability: Stability): boolean | undefined {
  let setting: boolean | undefined;
  for (const [key, applies] of levels) {
    const value = settings.get(key);
    if (value === undefined) continue;
    if (value !== 'true' && value !== 'false') throw new RuntimeConfigError(`invalid value ${key}=${value}`);
    if (applies === undefined || applies === stability) setting = value === 'true';
  }
  return setting;
}

/** Upstream's help names the core group `v1`; its paths and its parser suggest `api/v1` and `/v1`. */
function parseTarget(key: string, value: string): Target {
  if (key === 'v1') return { key, value, group: '', version: 'v1', resource: undefined };
  const [first = '', version, resource, ...rest] = key.split('/');
  if (version === undefined || rest.length > 0) throw new RuntimeConfigError(`runtime-config invalid key ${key}`);
  return { key, value, group: first === 'api' ? '' : first, version, resource };
}

function refuseUnknownGroups(targets: readonly Target[]): void {
  const unknown = new Set(targets.filter(({ group }) => !isKnownGroup(group)).map(formatGroupVersion));
  if (unknown.size > 0) throw new RuntimeConfigError(`unknown api groups ${[...unknown].sort().join(',')}`);
}

const switches: ReadonlyMap<string, boolean> = new Map([
  ...['', '1', 't', 'T', 'true', 'True', 'TRUE'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'false', 'False', 'FALSE'].map((text) => [text, false] as const),
]);

/** Whether a target of a known group is enabled. */
function switchOf(target: Target): boolean {
  const { key, value, resource } = target;
  if (versionFacts(target) === undefined && otherVersion(target) === undefined) {
    throw new RuntimeConfigError(`group version ${formatGroupVersion(target)} that has not been registered`);
  }
  const enabled = switches.get(value);
  if (enabled === undefined) {
    const reason = `strconv.ParseBool: parsing ${JSON.stringify(value)}: invalid syntax`;
    throw new RuntimeConfigError(`invalid value of ${key}: ${value}, err: ${reason}`);
  }
  if (resource !== undefined && resource !== resource.toLowerCase()) {
    const name = JSON.stringify(resource);
    throw new RuntimeConfigError(
      `invalid key ${key}: group/version/resource and resource is always lowercase plural, not ${name}`,
    );
  }
  return enabled;
}
