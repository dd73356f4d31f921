/** Differences from the recordings that have a reason which is no fault of the controllers, the scheduler or the nodes. */
import { readFileSync } from 'node:fs';

const file = new URL('named-differences.json', import.meta.url);

/**
 * `differences` are the texts of the comparison, by scenario. A `*` in a scenario's name matches any text, one in a
 * difference any text without brackets and quotation marks. `nodes`: the name holds for runs with `hollow` nodes or with
 * `ours` alone. `isByChance`: some plays have the difference, others do not.
 *
 * @typedef {{ reason: string, nodes?: 'hollow' | 'ours', isByChance?: true, differences: Record<string, string[]> }} NamedDifference
 */

/** @returns {NamedDifference[]} */
export const readNamedDifferences = () => JSON.parse(readFileSync(file, 'utf8'));

export class DifferenceNames {
  #names;
  #used = new Set();
  #played = new Set();

  /** @param {NamedDifference[]} named @param {'hollow' | 'ours'} nodes */
  constructor(named, nodes) {
    this.#names = named
      .filter((entry) => (entry.nodes ?? nodes) === nodes)
      .flatMap(({ reason, isByChance = false, differences }) =>
        Object.entries(differences).flatMap(([scenarios, texts]) =>
          texts.map((text) => ({ reason, isByChance, scenarios, text, ...patternsOf(scenarios, text) })),
        ),
      );
  }

  /**
   * The result with its named differences apart. A `settled` result is `named` if all its differences are. A name never
   * turns a `differs` into anything else.
   */
  judge(result) {
    const { scenario, verdict, differences } = result;
    this.#played.add(scenario);
    const names = this.#names.filter(({ isOf }) => isOf.test(scenario));
    const unnamed = [];
    const named = [];
    for (const difference of differences) {
      const fitting = names.filter(({ fits }) => fits.test(difference));
      for (const name of fitting) this.#used.add(name);
      if (fitting.length === 0) unnamed.push(difference);
      else named.push({ difference, reason: fitting[0].reason });
    }
    const isNamed = verdict === 'settled' && unnamed.length === 0;
    return { ...result, verdict: isNamed ? 'named' : verdict, differences: unnamed, named };
  }

  /**
   * The names that no difference needs any longer. `scenarios`: the names of all that a whole run plays. A name is stale
   * only if it has been played, in each of these scenarios to which it belongs.
   */
  stale(scenarios) {
    const played = [...this.#played];
    return this.#names
      .filter((name) => !name.isByChance && !this.#used.has(name))
      .filter(({ isOf }) => played.some((scenario) => isOf.test(scenario)))
      .filter(({ isOf }) => scenarios.every((scenario) => !isOf.test(scenario) || this.#played.has(scenario)))
      .map(({ reason, scenarios, text }) => ({ reason, scenarios, text }));
  }
}

const patternsOf = (scenarios, text) => ({ isOf: wildcard(scenarios, '.*'), fits: wildcard(text, '[^[\\]"]*') });

function wildcard(text, any) {
  const parts = text.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join(any)}$`);
}
