import { ConfigurationError } from '@binnacle/apimachinery/configuration';
import { EXTENSION_POINTS, type ExtensionPoint, type Plugin } from '../framework/index.js';
import { defaultChoices, type PluginChoice } from '../plugins/index.js';
import type { NamedPlugin, PluginSet, PluginSets } from './file-types.js';

/** The plugins of a profile. */
export interface ChosenPlugins {
  /** All that take part somewhere, with the weights of their scores. */
  readonly choices: readonly PluginChoice[];
  readonly points: ReadonlyMap<ExtensionPoint, readonly string[]>;
}

/** Whether a plugin has the method of a point. */
function takesPart(plugin: Plugin, point: ExtensionPoint): boolean {
  return plugin[point === 'queueSort' ? 'compare' : point] !== undefined;
}

const ALL = '*';

/**
 * Merges the default plugins with what a profile enables and disables. `find` knows all plugins. Throws a
 * {@link ConfigurationError} for a plugin that does not exist or lacks the point. Upstream: `mergePlugins`,
 * `expandMultiPointPlugins` and `getScoreWeights`.
 */
export function choosePlugins(sets: PluginSets, find: (name: string) => Plugin | undefined): ChosenPlugins {
  const multiPoint = mergeMultiPoint(sets.multiPoint ?? {});
  for (const { name } of multiPoint) {
    if (find(name) === undefined) throw new ConfigurationError(`plugin ${JSON.stringify(name)} does not exist`);
  }
  const points = new Map(
    EXTENSION_POINTS.map((point) => [point, namesOf(point, sets[point] ?? {}, multiPoint, find)] as const),
  );
  const weights = new Map<string, number>();
  for (const { name = '', weight = 0 } of [...(sets.score?.enabled ?? []), ...multiPoint]) {
    if (!weights.has(name)) weights.set(name, weight);
  }
  const names = new Set([...multiPoint.map(({ name }) => name), ...[...points.values()].flat()]);
  return { choices: [...names].map((name) => ({ name, weight: weights.get(name) ?? 0 })), points };
}

/** A default plugin that is enabled again keeps its place and gets the new weight. */
function mergeMultiPoint({ enabled = [], disabled = [] }: PluginSet): readonly PluginChoice[] {
  const isDisabled = (name: string) => disabled.some((each) => each.name === ALL || each.name === name);
  const replaced = new Set<NamedPlugin>();
  const kept = defaultChoices.flatMap((choice) => {
    if (isDisabled(choice.name)) return [];
    const custom = enabled.findLast(({ name }) => name === choice.name);
    if (custom === undefined) return [choice];
    replaced.add(custom);
    return [{ name: choice.name, weight: custom.weight ?? 0 }];
  });
  const added = enabled.filter((each) => !replaced.has(each));
  return [...kept, ...added.map(({ name = '', weight = 0 }) => ({ name, weight }))];
}

/** First those that a point enables in place of the common ones, then the common ones, then further ones of the point. */
function namesOf(
  point: ExtensionPoint,
  { enabled = [], disabled = [] }: PluginSet,
  multiPoint: readonly PluginChoice[],
  find: (name: string) => Plugin | undefined,
): readonly string[] {
  const type = `${point.charAt(0).toUpperCase()}${point.slice(1)}Plugin`;
  const own = new Set<string>();
  for (const { name = '' } of enabled) {
    const plugin = find(name);
    const quoted = JSON.stringify(name);
    if (plugin === undefined) throw new ConfigurationError(`${type} ${quoted} does not exist`);
    if (!takesPart(plugin, point)) throw new ConfigurationError(`plugin ${quoted} does not extend ${type} plugin`);
    if (own.has(name)) throw new ConfigurationError(`plugin ${quoted} already registered as ${JSON.stringify(type)}`);
    own.add(name);
  }
  if (disabled.some(({ name }) => name === ALL)) return [...own];
  const common: string[] = [];
  const overridden = new Set<string>();
  for (const { name } of multiPoint) {
    const plugin = find(name);
    if (plugin === undefined || !takesPart(plugin, point) || disabled.some((each) => each.name === name)) continue;
    if (own.has(name)) overridden.add(name);
    else if (common.includes(name))
      throw new ConfigurationError(`plugin ${JSON.stringify(name)} already registered as ${JSON.stringify(type)}`);
    else common.push(name);
  }
  const isOverriding = (name: string) => overridden.has(name);
  return [...[...own].filter(isOverriding), ...common, ...[...own].filter((name) => !isOverriding(name))];
}
