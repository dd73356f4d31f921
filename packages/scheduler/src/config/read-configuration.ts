import { ConfigurationError, readConfiguration } from '@binnacle/apimachinery/configuration';
import { formatFieldErrors } from '@binnacle/apimachinery/status';
import type { PluginArgs, PluginParts } from '../plugins/index.js';
import { type ConfigurationOfFile, kinds } from './file-types.js';
import { makeProfiles, type OwnPlugins, type SchedulerConfiguration } from './make-profiles.js';
import { completeArgs, decodeArgs } from './plugin-args.js';
import { extenderOf, ignoredResources } from './read-extenders.js';
import { nameOf, validateConfiguration } from './validate.js';

export interface ReadOptions {
  /** Plugins that profiles may enable, in addition to the default ones. */
  readonly plugins?: OwnPlugins | undefined;
}

export interface ReadConfiguration {
  readonly configuration: SchedulerConfiguration;
  /** Fields that have no effect, each in a sentence. */
  readonly warnings: readonly string[];
}

/** Reads the text of a KubeSchedulerConfiguration, YAML or JSON. Throws a {@link ConfigurationError} that names no file. */
export function readSchedulerConfiguration(text: string, { plugins = {} }: ReadOptions = {}): ReadConfiguration {
  // The schema has the fields of this type.
  const file = readConfiguration(text, kinds) as ConfigurationOfFile;
  const profiles = file.profiles?.length ? file.profiles : [{}];
  const args = profiles.map((profile, index) => decodeArgs(profile, `profiles[${index}]`));
  const errors = validateConfiguration({ ...file, profiles }, args);
  if (errors.length > 0) throw new ConfigurationError(formatFieldErrors(errors));
  const extenders = file.extenders ?? [];
  const ignored = ignoredResources(extenders);
  const configuration: SchedulerConfiguration = {
    profiles: profiles.map((profile, index) => ({
      schedulerName: nameOf(profile, profiles),
      percentageOfNodesToScore: profile.percentageOfNodesToScore ?? file.percentageOfNodesToScore ?? 0,
      plugins: profile.plugins ?? {},
      args: withIgnored(completeArgs(args[index] ?? {}), ignored),
      givenArgs: new Map(
        (profile.pluginConfig ?? []).flatMap(({ name = '', args }) => (args === undefined ? [] : [[name, args]])),
      ),
    })),
    podInitialBackoffMs: (file.podInitialBackoffSeconds ?? 1) * 1000,
    podMaxBackoffMs: (file.podMaxBackoffSeconds ?? 10) * 1000,
    // 0 is the default, as upstream's.
    qps: file.clientConnection?.qps || undefined,
    burst: file.clientConnection?.burst || undefined,
    ownPlugins: plugins,
    extenders: extenders.map(extenderOf),
  };
  // Faults of the plugins show now, and not only when the scheduler runs.
  makeProfiles(configuration, idleParts);
  return {
    configuration,
    warnings: [
      ...warningsOf(file),
      ...args.flatMap(({ DynamicResources: dynamic }) =>
        dynamic?.filterTimeout === undefined
          ? []
          : ['filterTimeout of DynamicResources has no effect: a search ends after a number of trials'],
      ),
    ],
  };
}

/** The resources of extenders replace those of the arguments, like upstream. */
function withIgnored(args: PluginArgs, ignored: readonly string[]): PluginArgs {
  if (ignored.length === 0) return args;
  return { ...args, NodeResourcesFit: { ...args.NodeResourcesFit, ignoredResources: ignored } };
}

/** Fields that are about how kube-scheduler runs, and not about what it decides. */
function warningsOf({ leaderElection = {}, clientConnection = {}, ...file }: ConfigurationOfFile): string[] {
  const { qps: _, burst: __, ...connection } = clientConnection;
  return [
    ...(file.parallelism === undefined ? [] : ['parallelism']),
    ...Object.keys(leaderElection).map((field) => `leaderElection.${field}`),
    ...Object.keys(connection).map((field) => `clientConnection.${field}`),
    ...(file.enableProfiling === undefined ? [] : ['enableProfiling']),
    ...(file.enableContentionProfiling === undefined ? [] : ['enableContentionProfiling']),
    ...(file.delayCacheUntilActive === undefined ? [] : ['delayCacheUntilActive']),
  ].map((field) => `${field} has no effect`);
}

const never = (): Promise<never> => Promise.reject(new Error('this profile only checks the configuration'));

/** For profiles that schedule nothing. */
const idleParts: PluginParts = {
  write: never,
  binder: { assume: (plan) => plan, revert: () => undefined, bind: never },
  devices: {
    claim: () => undefined,
    claimsIn: () => [],
    deviceClass: () => undefined,
    classForResource: () => undefined,
    slices: () => [],
    allocated: () => ({ exclusive: new Set(), shared: new Map() }),
    isPending: () => false,
    now: () => 0,
    assume: () => undefined,
    forget: () => undefined,
    reserve: never,
    create: never,
    recordExtended: never,
    discard: () => undefined,
    untilReady: never,
    release: () => undefined,
    deallocate: () => undefined,
  },
};
