import type { Extender, ExtensionPoint, Plugin, WeightedPlugin } from '../framework/index.js';

export interface ProfileOptions {
  /** The `spec.schedulerName` of its pods. */
  readonly name: string;
  readonly plugins: readonly WeightedPlugin[];
  /** The names of the plugins at a point, in order. Default for each point: all plugins that have it. */
  readonly points?: ReadonlyMap<ExtensionPoint, readonly string[]> | undefined;
  /** The share of nodes that must fit to end the search in a large cluster, 0 to 100. Default: 0, by the size of the cluster. */
  readonly percentageOfNodesToScore?: number | undefined;
  /** In the order in which they are asked. Default: none. */
  readonly extenders?: readonly Extender[] | undefined;
}

/** The extension points of methods that have another name. */
const POINTS: Readonly<Partial<Record<keyof Plugin, ExtensionPoint>>> = {
  compare: 'queueSort',
  addPod: 'preFilter',
  removePod: 'preFilter',
  normalizeScore: 'score',
  unreserve: 'reserve',
};

/** The plugins of a scheduler by their extension points. Upstream: `profile` and `frameworkImpl`. */
export class Profile {
  readonly name: string;
  readonly percentageOfNodesToScore: number;
  readonly extenders: readonly Extender[];
  readonly #plugins: ReadonlyMap<string, WeightedPlugin>;
  readonly #points: ReadonlyMap<string, readonly string[]>;
  readonly #with = new Map<keyof Plugin, readonly Plugin[]>();

  /** Throws if the plugins cannot form a scheduler. */
  constructor({ name, plugins, points = new Map(), percentageOfNodesToScore = 0, extenders = [] }: ProfileOptions) {
    this.name = name;
    this.percentageOfNodesToScore = percentageOfNodesToScore;
    this.extenders = extenders;
    this.#plugins = new Map(plugins.map((each) => [each.plugin.name, each]));
    this.#points = points;
    if (this.#plugins.size < plugins.length) throw new Error(`profile ${name}: a plugin is listed twice`);
    const profile = `profile with scheduler name ${JSON.stringify(name)}`;
    const sorting = this.with('compare').length;
    if (sorting !== 1) throw new Error(`only one queue sort plugin required for ${profile}, but got ${sorting}`);
    if (this.with('bind').length === 0) throw new Error(`at least one bind plugin is needed for ${profile}`);
  }

  /** By name, also those that are left out at all points. */
  plugin(name: string): Plugin | undefined {
    return this.#plugins.get(name)?.plugin;
  }

  /** The factor of the plugin's score. */
  weightOf({ name }: Plugin): number {
    return this.#plugins.get(name)?.weight || 1;
  }

  /** The plugins that have this method and take part in its extension point, in order. */
  with(method: keyof Plugin): readonly Plugin[] {
    const known = this.#with.get(method);
    if (known !== undefined) return known;
    const names = this.#points.get(POINTS[method] ?? method) ?? [...this.#plugins.keys()];
    const plugins = names.flatMap((name) => this.plugin(name) ?? []).filter((plugin) => plugin[method] !== undefined);
    this.#with.set(method, plugins);
    return plugins;
  }
}
