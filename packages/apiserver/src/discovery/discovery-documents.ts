import { type JsonObject, stringifyJson } from '@binnacle/apimachinery/json';
import { DiscoveryDocument } from './respond.js';
import type { DiscoveredGroup, DiscoverySource } from './source.js';

type Groups = ReadonlyMap<string, DiscoveredGroup>;

interface State {
  readonly revision: number;
  readonly groups: Groups;
  /** By key. Filled on first use. */
  readonly made: Map<string, DiscoveryDocument>;
}

/** The documents of a source. Each is made on first use, and kept until the source changes. */
export class DiscoveryDocuments {
  readonly #source: DiscoverySource;
  #state: State | undefined;

  constructor(source: DiscoverySource) {
    this.#source = source;
  }

  /** The current groups, by name. */
  groups(): Groups {
    return this.#current().groups;
  }

  get(key: string, make: (groups: Groups) => JsonObject): DiscoveryDocument {
    const { groups, made } = this.#current();
    let known = made.get(key);
    if (known === undefined) {
      known = documentOf(make(groups));
      made.set(key, known);
    }
    return known;
  }

  #current(): State {
    const { revision } = this.#source;
    if (this.#state?.revision !== revision) {
      const groups = new Map(this.#source.groups().map((group) => [group.group, group]));
      this.#state = { revision, groups, made: new Map() };
    }
    return this.#state;
  }
}

export function documentOf(value: JsonObject): DiscoveryDocument {
  return new DiscoveryDocument(`${stringifyJson(value)}\n`);
}
