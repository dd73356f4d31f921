import { nearest } from './nearest.js';

/** An invalid value of `--feature-gates`. The message is upstream's, on one line. */
export class FeatureGateError extends Error {
  override readonly name = 'FeatureGateError';
}

interface FeatureGate {
  readonly name: string;
  readonly stage: 'alpha' | 'beta';
  readonly isOnByDefault: boolean;
}

/** The upstream gates on which this server depends. */
export const featureGates = [
  { name: 'AllowUnsafeMalformedObjectDeletion', stage: 'alpha', isOnByDefault: false },
  { name: 'CBORServingAndStorage', stage: 'alpha', isOnByDefault: false },
  { name: 'ComponentFlagz', stage: 'beta', isOnByDefault: true },
  { name: 'ComponentStatusz', stage: 'beta', isOnByDefault: true },
] as const satisfies readonly FeatureGate[];

export type Feature = (typeof featureGates)[number]['name'];

/** Gates of what this server always has, which upstream locks. Upstream: apiserver `pkg/features`. */
const lockedGates: ReadonlyMap<string, boolean> = new Map([
  ['AggregatedDiscoveryRemoveBetaType', true],
  ['AnonymousAuthConfigurableEndpoints', true],
  ['AuthorizeWithSelectors', true],
  ['BtreeWatchCache', true],
  ['ConsistentListFromCache', true],
  ['ResilientWatchCacheInitialization', true],
  ['RetryGenerateName', true],
  ['SeparateCacheWatchRPC', false],
  ['StreamingCollectionEncodingToJSON', true],
  ['StreamingCollectionEncodingToProtobuf', true],
  ['StructuredAuthenticationConfiguration', true],
]);

/** Locked gates that upstream deprecates; the others are stable. */
const deprecatedGates: ReadonlySet<string> = new Set(['AggregatedDiscoveryRemoveBetaType', 'SeparateCacheWatchRPC']);

/** The state of a gate. Its stage is in upper case, and empty if the feature is stable. */
export type FeatureState = readonly [name: string, stage: string, isOn: boolean];

/** The states of all known gates. */
export function featureStates(enabled: ReadonlySet<Feature>): readonly FeatureState[] {
  return [
    ...featureGates.map(({ name, stage }) => [name, stage.toUpperCase(), enabled.has(name)] as const),
    ...Array.from(lockedGates, ([name, isOn]) => [name, deprecatedGates.has(name) ? 'DEPRECATED' : '', isOn] as const),
  ];
}

/** Gates that set every gate of a stage which is not set by name. */
const stageGates: ReadonlyMap<string, FeatureGate['stage']> = new Map([
  ['AllAlpha', 'alpha'],
  ['AllBeta', 'beta'],
]);

const switches: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'true', 'True', 'TRUE'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'false', 'False', 'FALSE'].map((text) => [text, false] as const),
]);

/**
 * Parses `--feature-gates`, a list of `Name=true|false` separated by commas, and returns the enabled gates. The last
 * setting of a name wins. Throws {@link FeatureGateError}.
 * Upstream: component-base `featuregate`.
 */
export function resolveFeatureGates(text: string | undefined): ReadonlySet<Feature> {
  const settings = parseSettings(text ?? '');
  const stages = new Map<FeatureGate['stage'], boolean>();
  for (const [name, isOn] of settings) {
    const stage = stageGates.get(name);
    if (stage !== undefined) stages.set(stage, isOn);
    else checkGate(name, isOn);
  }
  const on = featureGates.filter(
    ({ name, stage, isOnByDefault }) => settings.get(name) ?? stages.get(stage) ?? isOnByDefault,
  );
  return new Set(on.map(({ name }) => name));
}

function checkGate(name: string, isOn: boolean): void {
  const lock = lockedGates.get(name);
  if (lock !== undefined) {
    if (lock === isOn) return;
    throw new FeatureGateError(`cannot set feature gate ${name} to ${isOn}, feature is locked to ${lock}`);
  }
  const names = featureGates.map((gate) => gate.name);
  if (names.some((each) => each === name)) return;
  const suggestion = nearest(name, [...names, ...stageGates.keys(), ...lockedGates.keys()]);
  const hint = suggestion === undefined ? '' : ` (did you mean ${suggestion}?)`;
  throw new FeatureGateError(`unrecognized feature gate: ${name}${hint}`);
}

function parseSettings(text: string): ReadonlyMap<string, boolean> {
  const settings = new Map<string, boolean>();
  for (const part of text.split(',')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = (equals < 0 ? part : part.slice(0, equals)).trim();
    if (equals < 0) throw new FeatureGateError(`missing bool value for ${name}`);
    const value = part.slice(equals + 1).trim();
    const isOn = switches.get(value);
    if (isOn === undefined) {
      const reason = `strconv.ParseBool: parsing ${JSON.stringify(value)}: invalid syntax`;
      throw new FeatureGateError(`invalid value of ${name}=${value}, err: ${reason}`);
    }
    settings.set(name, isOn);
  }
  return settings;
}
