import { ConfigurationError } from '@binnacle/apimachinery/configuration';
import { messageOf } from '@binnacle/apimachinery/errors';
import type { JsonValue } from '@binnacle/apimachinery/json';
import { Profile } from '../cycle/index.js';
import type { ExtenderConfiguration } from '../extenders/index.js';
import type { Plugin, PluginFactory } from '../framework/index.js';
import { makePlugins, type PluginArgs, type PluginParts } from '../plugins/index.js';
import { choosePlugins } from './choose-plugins.js';
import type { PluginSets } from './file-types.js';

/** Plugins by name, in addition to the default ones. */
export type OwnPlugins = Readonly<Record<string, PluginFactory>>;

export interface ProfileConfiguration {
  readonly schedulerName: string;
  readonly percentageOfNodesToScore: number;
  readonly plugins: PluginSets;
  /** Of the default plugins. */
  readonly args: PluginArgs;
  /** Of all plugins, as the file has them. */
  readonly givenArgs: ReadonlyMap<string, JsonValue>;
}

/** A valid configuration with its defaults. Durations are in milliseconds. */
export interface SchedulerConfiguration {
  readonly profiles: readonly ProfileConfiguration[];
  readonly podInitialBackoffMs: number;
  readonly podMaxBackoffMs: number;
  /** Writes per second, and writes at once. Undefined: the defaults. */
  readonly qps: number | undefined;
  readonly burst: number | undefined;
  readonly ownPlugins: OwnPlugins;
  readonly extenders: readonly ExtenderConfiguration[];
}

/** One profile with the default plugins. */
export const defaultConfiguration: SchedulerConfiguration = {
  profiles: [
    {
      schedulerName: 'default-scheduler',
      percentageOfNodesToScore: 0,
      plugins: {},
      args: {},
      givenArgs: new Map(),
    },
  ],
  podInitialBackoffMs: 1000,
  podMaxBackoffMs: 10_000,
  qps: undefined,
  burst: undefined,
  ownPlugins: {},
  extenders: [],
};

/** The profiles by the name of their scheduler. Throws a {@link ConfigurationError}. */
export function makeProfiles(
  { profiles, ownPlugins }: SchedulerConfiguration,
  parts: PluginParts,
): ReadonlyMap<string, Profile> {
  return new Map(profiles.map((each) => [each.schedulerName, makeProfile(each, parts, ownPlugins)]));
}

/** Of `own`, makes only the plugins that the profile has. */
function makeProfile(
  { schedulerName, percentageOfNodesToScore, plugins, args, givenArgs }: ProfileConfiguration,
  parts: PluginParts,
  own: OwnPlugins,
): Profile {
  const made = makePlugins(parts, args);
  const find = (name: string): Plugin | undefined => {
    const known = made.get(name);
    if (known !== undefined || !Object.hasOwn(own, name)) return known;
    const plugin = own[name]?.(givenArgs.get(name));
    if (plugin === undefined) return undefined;
    if (plugin.name !== name) throw new ConfigurationError(`the plugin ${name} calls itself ${plugin.name}`);
    made.set(name, plugin);
    return plugin;
  };
  try {
    const { choices, points } = choosePlugins(plugins, find);
    const weighted = choices.flatMap(({ name, weight }) => {
      const plugin = find(name);
      return plugin === undefined ? [] : [{ plugin, weight }];
    });
    return new Profile({
      name: schedulerName,
      plugins: weighted,
      points,
      percentageOfNodesToScore,
      extenders: parts.extenders,
    });
  } catch (error) {
    const reason = messageOf(error);
    throw new ConfigurationError(
      `initializing profiles: creating profile for scheduler name ${schedulerName}: ${reason}`,
      { cause: error },
    );
  }
}
