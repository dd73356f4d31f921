import { inNamespace, resourceNamed, selectors } from '../resources.mjs';

/**
 * The log of a round, assembled from everything that clients saw: at most one event per revision, and the versions of
 * every object in order. {@link Log.state} returns `state = reduce(apply, events)`.
 */
export class Log {
  /** By revision: { revision, resource, key, type: put or delete, body }. */
  events = new Map();
  /** By `resource key`: versions { revision, type, body, previous }, oldest first. */
  #versions = new Map();
  /** By resource: all its events, oldest first. */
  #ordered = new Map();
  #parsed = new Map();
  #report;

  constructor(history, report) {
    this.#report = report;
    for (const entry of history.entries) this.#learn(entry);
    const sorted = [...this.events.values()].sort((a, b) => a.revision - b.revision);
    for (const event of sorted) {
      const versions = getOrMake(this.#versions, `${event.resource} ${event.key}`);
      event.previous = versions.at(-1);
      versions.push(event);
      getOrMake(this.#ordered, event.resource).push(event);
    }
  }

  #learn(entry) {
    const put = (revision, key, body) =>
      this.#fact({ revision, resource: entry.resource, key, type: 'put', body }, entry);
    if (entry.type === 'write' && entry.outcome === 'done' && entry.revision !== undefined)
      put(entry.revision, entry.key, entry.body);
    if (entry.type === 'get' && entry.outcome === 'found') put(entry.revision, entry.key, entry.body);
    for (const page of entry.pages ?? [])
      for (const [key, revision, body] of page.items ?? []) put(revision, key, body);
    const plain = entry.selector === '';
    for (const { type, revision, key, body } of entry.type === 'watch' ? entry.events : []) {
      if (type === 'ADDED' || type === 'MODIFIED') put(revision, key, body);
      // With a selector, DELETED may mean that the object only left the selection.
      if (type === 'DELETED' && plain)
        this.#fact({ revision, resource: entry.resource, key, type: 'delete', body }, entry);
    }
  }

  #fact(fact, entry) {
    const known = this.events.get(fact.revision);
    if (known === undefined) this.events.set(fact.revision, fact);
    else if (
      known.resource !== fact.resource ||
      known.key !== fact.key ||
      known.type !== fact.type ||
      known.body !== fact.body
    ) {
      this.#report('Unique', `revision ${fact.revision} is ${describe(known)} and ${describe(fact)}`, entry);
    }
  }

  /** The body as an object. */
  parse(body) {
    let parsed = this.#parsed.get(body);
    if (parsed === undefined) {
      if (this.#parsed.size > 50_000) this.#parsed.clear();
      parsed = JSON.parse(body);
      this.#parsed.set(body, parsed);
    }
    return parsed;
  }

  versions(resource, key) {
    return this.#versions.get(`${resource} ${key}`) ?? [];
  }

  /** The version of an object at `revision`; undefined = absent. */
  at(resource, key, revision) {
    const versions = this.versions(resource, key);
    const version = versions[after(versions, revision) - 1];
    return version?.type === 'put' ? version : undefined;
  }

  /** Every version of an object (undefined = absent) that is current at some revision from `low` to `high`. */
  *between(resource, key, low, high) {
    const versions = this.versions(resource, key);
    let index = after(versions, low) - 1;
    do {
      const version = versions[index];
      yield version?.type === 'put' ? version : undefined;
      index += 1;
    } while (index < versions.length && versions[index].revision <= high);
  }

  /** A map from key to version, in key order: what a list of this scope shows at `revision`. */
  state(resource, scope, revision) {
    const found = [];
    for (const place of this.#versions.keys()) {
      const [name, key] = place.split(' ');
      if (name !== resource || !inNamespace(scope, key)) continue;
      const version = this.at(resource, key, revision);
      if (version !== undefined && this.#selects(scope, version)) found.push(version);
    }
    return found.sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** What a watch of this scope shows of an event; undefined = nothing. */
  seen(event, scope) {
    if (!inNamespace(scope, event.key)) return undefined;
    const before = event.previous?.type === 'put' ? event.previous : undefined;
    const now = event.type === 'put' && this.#selects(scope, event);
    const was = before !== undefined && this.#selects(scope, before);
    if (now) return { type: was ? 'MODIFIED' : 'ADDED', body: event.body };
    return was ? { type: 'DELETED', body: before.body } : undefined;
  }

  /** The events of a resource after `revision`, oldest first. */
  *following(resource, revision) {
    const events = this.#ordered.get(resource) ?? [];
    for (let index = after(events, revision); index < events.length; index++) yield events[index];
  }

  allOf(resource) {
    return this.#ordered.get(resource) ?? [];
  }

  #selects(scope, version) {
    return selectors[scope.selector].selects(version.key, this.parse(version.body).labels);
  }
}

export function describe({ resource, key, type, body, revision }) {
  return `${type} of ${resourceNamed(resource)?.name ?? resource} ${key}${revision === undefined ? '' : ` at ${revision}`} ${body ?? ''}`;
}

/** Index of the first event after `revision`. */
function after(events, revision) {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (events[middle].revision <= revision) low = middle + 1;
    else high = middle;
  }
  return low;
}

function getOrMake(map, key) {
  let list = map.get(key);
  if (list === undefined) {
    list = [];
    map.set(key, list);
  }
  return list;
}
