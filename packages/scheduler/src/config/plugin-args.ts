import { ConfigurationError } from '@binnacle/apimachinery/configuration';
import { isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { DecodeError, decodeTyped } from '@binnacle/apimachinery/serializer';
import type { NodeAffinity, TopologySpreadConstraint } from '@binnacle/client/kinds/core/v1';
import { parseDuration } from '@binnacle/apimachinery/time';
import { type PluginArgs, type ScoringStrategy, scoredByDefault, type WeightedResource } from '../plugins/index.js';
import { API_VERSION, argsOfPlugins, type ProfileOfFile } from './file-types.js';

interface ResourceOfFile {
  readonly name?: string;
  readonly weight?: number;
}

export interface PointOfFile {
  readonly utilization?: number;
  readonly score?: number;
}

/** The arguments of plugins as they are decoded. */
export interface ArgsOfFile {
  readonly DefaultPreemption?: {
    readonly minCandidateNodesPercentage?: number;
    readonly minCandidateNodesAbsolute?: number;
  };
  readonly DynamicResources?: { readonly filterTimeout?: string; readonly bindingTimeout?: string };
  readonly InterPodAffinity?: {
    readonly hardPodAffinityWeight?: number;
    readonly ignorePreferredTermsOfExistingPods?: boolean;
  };
  readonly NodeAffinity?: { readonly addedAffinity?: NodeAffinity };
  readonly NodeResourcesBalancedAllocation?: { readonly resources?: readonly ResourceOfFile[] };
  readonly NodeResourcesFit?: {
    readonly ignoredResources?: readonly string[];
    readonly ignoredResourceGroups?: readonly string[];
    readonly scoringStrategy?: {
      readonly type?: string;
      readonly resources?: readonly ResourceOfFile[];
      readonly requestedToCapacityRatio?: { readonly shape?: readonly PointOfFile[] };
    };
  };
  readonly PodTopologySpread?: {
    readonly defaultConstraints?: readonly Partial<TopologySpreadConstraint>[];
    readonly defaultingType?: string;
  };
  readonly VolumeBinding?: { readonly bindTimeoutSeconds?: number; readonly shape?: readonly PointOfFile[] };
}

const GROUP = 'kubescheduler.config.k8s.io';

/** Decodes the arguments of the default plugins. Throws a {@link ConfigurationError}. Upstream: `DecodeNestedObjects`. */
export function decodeArgs({ pluginConfig = [] }: ProfileOfFile, path: string): ArgsOfFile {
  const decoded: Record<string, JsonObject> = {};
  const unknown: string[] = [];
  for (const [index, { name = '', args }] of pluginConfig.entries()) {
    const schema = argsOfPlugins.get(name);
    if (schema === undefined || args === undefined) continue;
    const where = `decoding .${path}.pluginConfig[${index}]: `;
    checkKind(name, args, where);
    try {
      const { object, strictErrors } = decodeTyped(args, schema);
      if (strictErrors.length > 0) {
        const problems = strictErrors.join(', ');
        unknown.push(
          `${where}strict decoding error: decoding args for plugin ${name}: strict decoding error: ${problems}`,
        );
      }
      decoded[name] ??= object;
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      throw new ConfigurationError(`${where}decoding args for plugin ${name}: ${error.message}`, { cause: error });
    }
  }
  if (unknown.length > 0) throw new ConfigurationError(`strict decoding error: ${unknown.join(', ')}`);
  return decoded;
}

/** Throws unless the arguments are of the plugin's kind. They may leave the kind out. */
function checkKind(name: string, args: JsonValue, where: string): void {
  const { kind = `${name}Args`, apiVersion = API_VERSION } = isObject(args) ? args : {};
  if (kind !== `${name}Args`) {
    const [wanted, given] = [`${name}Args.${GROUP}`, `${textOf(kind)}.${GROUP}`];
    throw new ConfigurationError(`${where}args for plugin ${name} were not of type ${wanted}, got ${given}`);
  }
  if (apiVersion === API_VERSION) return;
  throw new ConfigurationError(
    `${where}decoding args for plugin ${name}: no kind "${kind}" is registered for version "${textOf(apiVersion)}"`,
  );
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Adds defaults to valid arguments. The defaults of single values are in the plugins. */
export function completeArgs({
  NodeResourcesBalancedAllocation: balanced,
  NodeResourcesFit: fit,
  PodTopologySpread: spread,
  DynamicResources: dynamic,
  ...others
}: ArgsOfFile): PluginArgs {
  return {
    ...others,
    ...(balanced?.resources?.length && {
      NodeResourcesBalancedAllocation: { resources: balanced.resources.map(({ name = '' }) => name) },
    }),
    ...(fit && { NodeResourcesFit: { ...fit, scoringStrategy: completeStrategy(fit.scoringStrategy ?? {}) } }),
    ...(spread?.defaultingType === 'List' && {
      PodTopologySpread: { defaultConstraints: (spread.defaultConstraints ?? []).filter(isConstraint) },
    }),
    ...(dynamic?.bindingTimeout !== undefined && {
      DynamicResources: { bindingTimeoutMs: Number(parseDuration(dynamic.bindingTimeout)) / 1e6 },
    }),
  };
}

/** Validation has refused all others. */
function isConstraint(constraint: Partial<TopologySpreadConstraint>): constraint is TopologySpreadConstraint {
  const { maxSkew, topologyKey, whenUnsatisfiable } = constraint;
  return maxSkew !== undefined && topologyKey !== undefined && whenUnsatisfiable !== undefined;
}

type StrategyOfFile = NonNullable<NonNullable<ArgsOfFile['NodeResourcesFit']>['scoringStrategy']>;

function completeStrategy({ type, resources, requestedToCapacityRatio }: StrategyOfFile): ScoringStrategy {
  const weighted = weightedResources(resources);
  if (type !== 'RequestedToCapacityRatio') {
    return { type: type === 'MostAllocated' ? type : 'LeastAllocated', resources: weighted };
  }
  const shape = (requestedToCapacityRatio?.shape ?? []).map(({ utilization = 0, score = 0 }) => ({
    utilization,
    score,
  }));
  return { type, resources: weighted, shape };
}

/** A weight of 0 counts as 1. */
export function weightedResources(resources: readonly ResourceOfFile[] = []): readonly WeightedResource[] {
  if (resources.length === 0) return scoredByDefault;
  return resources.map(({ name = '', weight = 0 }) => ({ name, weight: weight || 1 }));
}
