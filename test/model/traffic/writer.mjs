import { bodyOf, finalizer, keyOf, keys, objectPath, resources, revisionOf, tiers } from '../resources.mjs';
import { LostError } from './http2-client.mjs';

const MERGE_PATCH = 'application/merge-patch+json';

const operations = {
  create: 24,
  update: 28,
  unconditionalUpdate: 8,
  patch: 18,
  conditionalPatch: 5,
  delete: 13,
  addFinalizer: 4,
  removeFinalizer: 8,
  nothing: 3,
};

/**
 * Writes at random, based on the last object it saw, which may be stale. Every write except a delete puts a unique
 * token into the payload, so that each object names the write that made it.
 */
export class Writer {
  #name;
  #client;
  #random;
  /** Decides durations, and is called as often as they occur; another instance decides the requests. */
  #timing;
  #history;
  #count = 0;
  /** By resource and key: the object as this client saw it last. */
  #seen = new Map();

  constructor({ name, client, random, timing, history }) {
    this.#name = name;
    this.#client = client;
    this.#random = random;
    this.#timing = timing;
    this.#history = history;
  }

  async run(running, pause) {
    while (running()) {
      await this.step();
      await pause(this.#timing.integer(0, 40));
    }
  }

  async step() {
    const random = this.#random;
    const resource = random.pick(resources);
    // Half of the writes use two keys.
    const key = random.chance(0.5) ? keys[random.integer(0, 1)] : random.pick(keys);
    const operation = random.weighted(operations);
    const look = random.chance(0.5);
    const dryRun = random.chance(0.06);
    if (look && operation !== 'create') await this.#look(resource, key);
    const seen = this.#seen.get(`${resource.name} ${key}`);
    const request = this.#request(operation, resource, key, seen);
    if (request !== undefined) await this.#send(resource, key, request, dryRun && operation !== 'nothing');
  }

  /** A final write without competitors: afterwards the object exists, in every selection. Resolves its revision. */
  async settle(resource, key) {
    for (let attempt = 0; attempt < 50; attempt++) {
      const token = this.#token();
      const patch = resource.withPayload({ metadata: { labels: { tier: 'a' } } }, { token });
      const patched = await this.#send(resource, key, { op: 'patch', token, body: patch }, false);
      if (patched.outcome === 'done') return patched.revision;
      if (patched.status !== 404) continue;
      const created = await this.#send(resource, key, this.#create(resource, key, 'a'), false);
      if (created.outcome === 'done') return created.revision;
    }
    throw new Error(`${resource.name} ${key} cannot be written any more`);
  }

  /** An ordinary read, recorded as such. */
  async #look(resource, key) {
    const entry = this.#history.add({ type: 'get', client: this.#name, resource: resource.name, key, demand: '' });
    const object = await readObject(this.#client, this.#history, resource, entry);
    if (object !== undefined) this.#seen.set(`${resource.name} ${key}`, object);
  }

  #request(operation, resource, key, seen) {
    const random = this.#random;
    const token = this.#token();
    // Drawn in any case, so that answers do not shift later decisions.
    const tier = random.pick([...tiers, undefined]);
    const [conditional, identified, extra] = [random.chance(0.4), random.chance(0.4), random.chance(0.4)];
    const uid = identified ? seen?.metadata.uid : undefined;
    const revision = seen === undefined ? undefined : revisionOf(seen);
    switch (operation) {
      case 'create':
        return this.#create(resource, key, tier, extra && conditional ? [finalizer] : []);
      case 'update':
      case 'addFinalizer':
      case 'removeFinalizer': {
        if (seen === undefined) return this.#create(resource, key, tier);
        const kept = seen.metadata.finalizers ?? [];
        const deleting = seen.metadata.deletionTimestamp !== undefined;
        const finalizers =
          operation === 'update' || (operation === 'addFinalizer' && deleting)
            ? kept
            : operation === 'addFinalizer'
              ? [finalizer]
              : [];
        return this.#put(
          resource,
          key,
          token,
          tier,
          { revision, uid },
          finalizers,
          extra ? resource.payloadOf(seen) : {},
        );
      }
      case 'unconditionalUpdate':
        return this.#put(resource, key, token, tier, { uid }, seen?.metadata.finalizers ?? [], {});
      case 'patch':
      case 'conditionalPatch': {
        const labels = extra ? { labels: { tier: tier ?? null } } : {};
        const expected =
          operation === 'conditionalPatch' && revision !== undefined ? { resourceVersion: String(revision) } : {};
        const hold = identified && conditional ? { finalizers: null } : {};
        const body = resource.withPayload(
          { metadata: { ...labels, ...expected, ...hold } },
          { token, [this.#name]: token },
        );
        return { op: 'patch', token, body, want: expected.resourceVersion === undefined ? {} : { revision } };
      }
      case 'delete': {
        const preconditions = {
          ...(conditional && revision !== undefined ? { resourceVersion: String(revision) } : {}),
          ...(uid === undefined ? {} : { uid }),
        };
        const want = {
          ...(preconditions.resourceVersion === undefined ? {} : { revision }),
          ...(uid === undefined ? {} : { uid }),
        };
        const body = Object.keys(preconditions).length === 0 && extra ? undefined : { preconditions };
        return { op: 'delete', token, body, want };
      }
      default:
        return { op: 'nothing', token, body: {} };
    }
  }

  #create(resource, key, tier, finalizers = []) {
    const token = this.#token();
    return { op: 'create', token, body: this.#object(resource, key, tier, finalizers, { token }) };
  }

  #put(resource, key, token, tier, want, finalizers, payload) {
    const body = this.#object(resource, key, tier, finalizers, { ...payload, token });
    if (want.revision !== undefined) body.metadata.resourceVersion = String(want.revision);
    if (want.uid !== undefined) body.metadata.uid = want.uid;
    return { op: 'update', token, body, want };
  }

  #object(resource, key, tier, finalizers, payload) {
    const [namespace, name] = key.split('/');
    const metadata = {
      namespace,
      name,
      ...(tier === undefined ? {} : { labels: { tier } }),
      ...(finalizers.length === 0 ? {} : { finalizers }),
    };
    return resource.withPayload({ apiVersion: resource.apiVersion, kind: resource.kind, metadata }, payload);
  }

  #token() {
    this.#count += 1;
    return `${this.#name}-${this.#count}`;
  }

  async #send(resource, key, { op, token, body, want = {} }, dryRun) {
    const sent = body === undefined || op === 'delete' ? undefined : contentOf(resource, body);
    const entry = this.#history.add({
      type: 'write',
      client: this.#name,
      op,
      resource: resource.name,
      key,
      token,
      dryRun,
      want,
      sent,
      invoked: this.#history.tick(),
      outcome: 'unknown',
    });
    try {
      // With a body, upstream ignores the query of a delete.
      const options = dryRun && op === 'delete' && body !== undefined ? { ...body, dryRun: ['All'] } : body;
      const answer = await this.#exchange(resource, key, op, options, dryRun ? { dryRun: 'All' } : {});
      entry.returned = this.#history.tick();
      this.#note(resource, key, entry, answer);
    } catch (error) {
      if (!(error instanceof LostError)) throw error;
    }
    return entry;
  }

  #exchange(resource, key, op, body, query) {
    const path = objectPath(resource, key);
    switch (op) {
      case 'create':
        return this.#client.request('POST', path.slice(0, path.lastIndexOf('/')), query, body);
      case 'update':
        return this.#client.request('PUT', path, query, body);
      case 'delete':
        return this.#client.request('DELETE', path, query, body);
      default:
        return this.#client.request('PATCH', path, query, body, MERGE_PATCH);
    }
  }

  #note(resource, key, entry, { status, body }) {
    entry.status = status;
    if (status >= 400) {
      // A server that fails or is about to stop does not tell whether the write took effect.
      entry.outcome = status >= 500 ? 'unknown' : 'refused';
      entry.reason = body.reason;
      entry.message = body.message;
      return;
    }
    entry.outcome = 'done';
    if (body.kind === 'Status') {
      Object.assign(entry, { gone: true, uid: body.details.uid });
    } else if (body.metadata.deletionTimestamp !== undefined && (body.metadata.finalizers ?? []).length === 0) {
      Object.assign(entry, { gone: true, uid: body.metadata.uid });
    } else if (!entry.dryRun) {
      entry.revision = revisionOf(body);
      entry.body = this.#history.intern(bodyOf(resource, body));
    }
    if (entry.dryRun) return;
    const place = `${resource.name} ${key}`;
    if (entry.gone === true) this.#seen.delete(place);
    else this.#seen.set(place, body);
  }
}

/** The fields that a write sets, as the model applies them: undefined = not set, null in a patch = remove. */
function contentOf(resource, body) {
  const { labels, finalizers } = body.metadata ?? {};
  return { labels, finalizers, payload: resource.payloadOf({ metadata: {}, ...body }) };
}

/** Sends the get of `entry` and completes it; resolves the object, or undefined. */
export async function readObject(client, history, resource, entry, query = {}) {
  entry.invoked = history.tick();
  entry.outcome = 'unknown';
  try {
    const { status, body } = await client.request('GET', objectPath(resource, entry.key), query);
    entry.returned = history.tick();
    entry.status = status;
    if (status === 200) {
      if (keyOf(body) !== entry.key) throw new Error(`asked for ${entry.key}, got ${keyOf(body)}`);
      Object.assign(entry, {
        outcome: 'found',
        revision: revisionOf(body),
        body: history.intern(bodyOf(resource, body)),
      });
      return body;
    }
    entry.outcome = status === 404 ? 'absent' : 'refused';
    entry.reason = body.reason;
    entry.message = body.message;
  } catch (error) {
    if (!(error instanceof LostError)) throw error;
  }
  return undefined;
}
