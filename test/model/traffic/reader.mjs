import { keys, namespaces, resources, selectors } from '../resources.mjs';
import { list } from './lister.mjs';
import { readObject } from './writer.mjs';

const demands = { newest: 40, any: 15, notOlder: 25, exact: 20 };

/** Reads at random, with a freshness token: the newest revision that it has seen. */
export class Reader {
  #name;
  #client;
  #random;
  /** Decides durations, and is called as often as they occur; another instance decides the requests. */
  #timing;
  #history;
  /** Revisions that this client has seen, newest last; it reads some of them again. */
  #known = [];

  constructor({ name, client, random, timing, history }) {
    this.#name = name;
    this.#client = client;
    this.#random = random;
    this.#timing = timing;
    this.#history = history;
  }

  async run(running, pause) {
    while (running()) {
      await this.step(pause);
      await pause(this.#timing.integer(5, 80));
    }
  }

  async step(pause = () => undefined) {
    const random = this.#random;
    const resource = random.pick(resources);
    const single = random.chance(0.45);
    const key = random.pick(keys);
    const kind = random.weighted(demands);
    const scope = { namespace: random.pick([...namespaces, '']), selector: random.pick(Object.keys(selectors)) };
    const limit = random.pick([0, 0, 1, 2, 3, 5]);
    const back = random.next() ** 3;
    const spelled = random.chance(0.5);
    const far = random.chance(0.004);
    const token = this.#token(kind === 'exact' ? back : 0) + (far ? 1_000_000_000 : 0);
    const demand = kind === 'newest' || (token === 0 && kind !== 'any') ? '' : kind === 'any' ? '0' : String(token);
    if (single) {
      const entry = this.#history.add({ type: 'get', client: this.#name, resource: resource.name, key, demand });
      await readObject(this.#client, this.#history, resource, entry, demand === '' ? {} : { resourceVersion: demand });
      this.#learn(entry.revision);
      return;
    }
    // With a limit and no match, upstream treats a revision as exact.
    const exact = kind === 'exact' && demand !== '' && (limit === 0 || spelled);
    const match = exact ? 'Exact' : demand !== '' && spelled && kind !== 'exact' ? 'NotOlderThan' : '';
    const options = {
      client: this.#client,
      history: this.#history,
      name: this.#name,
      resource,
      scope,
      demand,
      match,
      limit,
    };
    const entry = await list({ ...options, between: () => pause(this.#timing.integer(0, 150)) });
    for (const page of entry.pages) this.#learn(page.revision);
  }

  #learn(revision) {
    if (revision === undefined) return;
    this.#known.push(revision);
    if (this.#known.length > 400) this.#known.splice(0, 200);
  }

  /** A revision that was seen; `back` = 0 is the newest. */
  #token(back) {
    if (this.#known.length === 0) return 0;
    if (back === 0) return Math.max(...this.#known);
    return this.#known[Math.floor((1 - back) * (this.#known.length - 1))];
  }
}
