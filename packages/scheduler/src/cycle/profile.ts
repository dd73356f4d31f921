import type { Plugin, WeightedPlugin } from '../framework/index.js';

/** The plugins of a scheduler by their extension points. Upstream: `profile`. */
export class Profile {
  readonly name: string;
  readonly plugins: readonly WeightedPlugin[];
  readonly #with = new Map<keyof Plugin, readonly Plugin[]>();

  /** `name` is the `spec.schedulerName` of its pods. Throws if the plugins cannot form a scheduler. */
  constructor(name: string, plugins: readonly WeightedPlugin[]) {
    this.name = name;
    this.plugins = plugins;
    const names = new Set(plugins.map(({ plugin }) => plugin.name));
    if (names.size < plugins.length) throw new Error(`profile ${name}: a plugin is listed twice`);
    if (this.with('compare').length !== 1) throw new Error(`profile ${name}: exactly one plugin must sort the queue`);
    if (this.with('bind').length === 0) throw new Error(`profile ${name}: at least one plugin must bind`);
  }

  /** The plugins that have this extension point, in order. */
  with(point: keyof Plugin): readonly Plugin[] {
    const known = this.#with.get(point);
    if (known !== undefined) return known;
    const plugins = this.plugins.map(({ plugin }) => plugin).filter((plugin) => plugin[point] !== undefined);
    this.#with.set(point, plugins);
    return plugins;
  }
}
