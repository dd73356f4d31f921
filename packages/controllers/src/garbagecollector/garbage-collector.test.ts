import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate as nextLoop } from 'node:timers/promises';
import { withoutTurns } from '@binnacle/apimachinery/turns';
import { type ScriptedAnswer, ScriptedTransport } from '@binnacle/client/testing';
import type { SendOptions, TransportRequest } from '@binnacle/client/transport';
import type { ObjectMeta, OwnerReference } from '@binnacle/client/typed';
import { runLoop } from '../testing/index.js';
import { createGarbageCollector } from './garbage-collector.js';

interface Resource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
}
const pods: Resource = { group: '', version: 'v1', resource: 'pods', kind: 'Pod' };
const definitions: Resource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  resource: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
};
const things: Resource = { group: 'example.com', version: 'v1', resource: 'things', kind: 'Thing' };

const rootOf = ({ group, version }: Resource) => (group === '' ? `/api/${version}` : `/apis/${group}/${version}`);

/** A server of these resources whose watches never end. */
class Cluster {
  readonly served = new Set([pods, definitions]);
  readonly objects = new Map<string, ObjectMeta>();
  readonly transport = new ScriptedTransport((request, options) => this.#answer(request, options));
  /** Answers that replace the usual ones, by `METHOD path`. */
  readonly faults = new Map<string, ScriptedAnswer>();
  readonly #listeners = new Map<Resource, Set<(event: object) => void>>();
  #version = 10;
  readonly loop = runLoop(createGarbageCollector, this.transport);

  path(resource: Resource, name: string): string {
    const space = resource === definitions ? '' : '/namespaces/shop';
    return `${rootOf(resource)}${space}/${resource.resource}/${name}`;
  }

  set(resource: Resource, name: string, metadata: ObjectMeta = {}): OwnerReference {
    const path = this.path(resource, name);
    const before = this.objects.get(path);
    const uid = before?.uid ?? `uid-${name}`;
    const namespace = resource === definitions ? {} : { namespace: 'shop' };
    const after = { ...metadata, name, ...namespace, uid, resourceVersion: String(++this.#version) };
    this.objects.set(path, after);
    this.#event(resource, before === undefined ? 'ADDED' : 'MODIFIED', after);
    const { group, version, kind } = resource;
    return { apiVersion: group === '' ? version : `${group}/${version}`, kind, name, uid };
  }

  delete(resource: Resource, name: string): void {
    const before = this.objects.get(this.path(resource, name));
    this.objects.delete(this.path(resource, name));
    if (before !== undefined) {
      this.#event(resource, 'DELETED', { ...before, resourceVersion: String(++this.#version) });
    }
  }

  has(resource: Resource, name: string): boolean {
    return this.objects.has(this.path(resource, name));
  }

  /** `METHOD path` of the requests that are sent while the time passes. */
  async during(milliseconds: number): Promise<string[]> {
    const before = this.transport.requests.length;
    await this.loop.clock.advance(milliseconds);
    return this.transport.requests.slice(before).map(({ method, path }) => `${method} ${path.replace(/\?.*/, '')}`);
  }

  #event({ ...resource }: Resource, type: string, metadata: ObjectMeta): void {
    const listeners = [...this.#listeners].find(([each]) => each.resource === resource.resource)?.[1] ?? [];
    for (const listener of listeners) listener({ type, object: { ...PARTIAL, metadata } });
  }

  #answer({ method, path, body }: TransportRequest, { signal }: SendOptions): ScriptedAnswer {
    const url = new URL(path, 'http://server');
    const fault = this.faults.get(`${method} ${url.pathname}`);
    if (fault !== undefined) return fault;
    if (url.pathname === '/api' || url.pathname === '/apis') return this.#surface(url.pathname === '/api');
    const resource = [...this.served].find((each) => url.pathname.startsWith(rootOf(each)));
    if (resource === undefined) return { status: 404, object: '404 page not found' };
    if (url.searchParams.get('watch') === 'true') return { lines: this.#watch(resource, signal) };
    if (url.pathname === `${rootOf(resource)}/${resource.resource}`) return this.#list(resource);
    const metadata = this.objects.get(url.pathname);
    const name = url.pathname.split('/').at(-1) ?? '';
    if (metadata === undefined) {
      const details = { name, group: resource.group, kind: resource.resource };
      const object = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404, details };
      return { status: 404, object };
    }
    if (method === 'DELETE') this.delete(resource, name);
    if (method === 'PATCH') {
      const { metadata: change } = JSON.parse(String(body)) as { metadata: ObjectMeta };
      this.set(resource, name, { ...metadata, ...change, ownerReferences: change.ownerReferences ?? [] });
    }
    return { object: { ...PARTIAL, metadata } };
  }

  #surface(isCore: boolean): ScriptedAnswer {
    const items = [...this.served]
      .filter(({ group }) => (group === '') === isCore)
      .map(({ group, version, resource, kind }) => ({
        metadata: { name: group },
        versions: [
          {
            version,
            freshness: 'Current',
            resources: [
              {
                resource,
                responseKind: { group, version, kind },
                scope: resource === definitions.resource ? 'Cluster' : 'Namespaced',
                verbs: ['get', 'list', 'watch', 'delete', 'patch'],
              },
            ],
          },
        ],
      }));
    return { object: { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', items } };
  }

  #list(resource: Resource): ScriptedAnswer {
    const items = [...this.objects]
      .filter(([path]) => path.startsWith(rootOf(resource)))
      .map(([, metadata]) => ({ ...PARTIAL, metadata }));
    const list = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadataList', items };
    return { object: { ...list, metadata: { resourceVersion: String(this.#version) } } };
  }

  async *#watch(resource: Resource, signal: AbortSignal | undefined): AsyncGenerator<object> {
    const pending: object[] = [];
    let wake = () => {};
    const listener = (event: object) => {
      pending.push(event);
      wake();
    };
    const listeners = this.#listeners.get(resource) ?? new Set();
    this.#listeners.set(resource, listeners.add(listener));
    signal?.addEventListener('abort', () => wake());
    try {
      for (;;) {
        signal?.throwIfAborted();
        const event = pending.shift();
        if (event !== undefined) yield event;
        else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    } finally {
      listeners.delete(listener);
    }
  }
}

const PARTIAL = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata' };
const HOUR = 3_600_000;
/** Long enough for everything but retries. */
const SOON = 500;

describe('garbage collector', () => {
  let turns: Disposable;
  beforeEach(() => {
    turns = withoutTurns();
  });
  afterEach(() => turns[Symbol.dispose]());

  it('leaves the process to others while hundreds of owners wait to be looked up', async (context) => {
    const cluster = new Cluster();
    await cluster.during(SOON);
    turns[Symbol.dispose]();
    let time = 0;
    context.mock.method(performance, 'now', () => (time += 2));
    const ownerReferences = Array.from({ length: 200 }, (_, index) => {
      return { apiVersion: 'v1', kind: 'Pod', name: `owner-${index}`, uid: `uid-owner-${index}` };
    });
    const before = cluster.transport.requests.length;
    cluster.set(pods, 'child', { ownerReferences });
    let [loops, sent] = [0, 0];
    while (cluster.has(pods, 'child')) {
      await nextLoop();
      loops++;
      sent = cluster.transport.requests.length - before;
    }
    assert.ok(loops > 20, `${sent} requests in ${loops} turns of the loop`);
    await cluster.loop.end();
  });

  it('deletes an object without owners by uid and version, and sends nothing while idle', async () => {
    const cluster = new Cluster();
    const owner = cluster.set(pods, 'owner');
    cluster.set(pods, 'child', { ownerReferences: [owner] });
    cluster.set(pods, 'shared', { ownerReferences: [owner, cluster.set(pods, 'other')] });
    const start = await cluster.during(SOON);
    assert.deepEqual([...start].sort(), [
      'GET /api/v1/pods',
      'GET /api/v1/pods',
      'GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      'GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    ]);
    assert.deepEqual(await cluster.during(24 * HOUR), []);
    cluster.delete(pods, 'owner');
    const requests = await cluster.during(SOON);
    assert.equal(cluster.has(pods, 'child'), false);
    assert.deepEqual(cluster.objects.get(cluster.path(pods, 'shared'))?.ownerReferences?.length, 1);
    assert.equal(requests.length, 6, requests.join());
    const deletion = cluster.transport.requests.find(({ method }) => method === 'DELETE');
    assert.deepEqual(JSON.parse(String(deletion?.body)), {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      propagationPolicy: 'Background',
      preconditions: { uid: 'uid-child', resourceVersion: '12' },
    });
    assert.deepEqual(await cluster.during(24 * HOUR), []);
    assert.deepEqual(cluster.loop.reports, []);
    await cluster.loop.end();
  });

  it('retries failures with backoff', async () => {
    const cluster = new Cluster();
    cluster.set(pods, 'child', { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'owner', uid: 'x' }] });
    const path = cluster.path(pods, 'owner');
    cluster.faults.set(`GET ${path}`, { status: 500, object: 'broken' });
    const requests = await cluster.during(HOUR);
    const asked = requests.filter((each) => each === `GET ${path}`).length;
    assert.ok(asked > 12 && asked < 25, String(asked));
    assert.equal(cluster.has(pods, 'child'), true, 'an error does not prove absence');
    assert.match(cluster.loop.reports[0] ?? '', /broken/);
    cluster.faults.clear();
    await cluster.during(HOUR);
    assert.equal(cluster.has(pods, 'child'), false);
    await cluster.loop.end();
  });

  it('waits for kinds that are not served, and trusts only a NotFound of the object itself', async () => {
    const cluster = new Cluster();
    await cluster.during(SOON);
    const owner = { apiVersion: 'example.com/v1', kind: 'Thing', name: 'owner', uid: 'uid-owner' };
    cluster.set(pods, 'child', { ownerReferences: [owner] });
    assert.deepEqual(await cluster.during(24 * HOUR), [], 'a request could not help');
    assert.equal(cluster.has(pods, 'child'), true);

    cluster.served.add(things);
    cluster.faults.set(`GET ${cluster.path(things, 'owner')}`, { status: 404, object: '404 page not found' });
    cluster.set(definitions, 'things.example.com');
    await cluster.during(SOON);
    assert.equal(cluster.has(pods, 'child'), true, 'an unknown path does not prove absence');
    cluster.faults.clear();
    await cluster.during(HOUR);
    assert.equal(cluster.has(pods, 'child'), false);
    await cluster.loop.end();
  });

  it('watches custom resources only while the server serves them', async () => {
    const cluster = new Cluster();
    await cluster.during(SOON);
    cluster.set(definitions, 'things.example.com');
    assert.equal((await cluster.during(10_000)).includes('GET /apis'), true);
    cluster.served.add(things);
    assert.equal((await cluster.during(30_000)).filter((each) => each.endsWith('/things')).length, 2);
    assert.deepEqual(await cluster.during(24 * HOUR), []);

    const owner = cluster.set(things, 'owner');
    cluster.set(pods, 'child', { ownerReferences: [owner] });
    cluster.set(pods, 'other', { ownerReferences: [owner] });
    await cluster.during(SOON);
    cluster.delete(things, 'owner');
    await cluster.during(SOON);
    assert.deepEqual([cluster.has(pods, 'child'), cluster.has(pods, 'other')], [false, false]);

    const last = cluster.set(things, 'last');
    cluster.set(pods, 'child', { ownerReferences: [last] });
    await cluster.during(SOON);
    cluster.served.delete(things);
    cluster.delete(definitions, 'things.example.com');
    await cluster.during(SOON);
    assert.deepEqual(await cluster.during(24 * HOUR), []);
    assert.equal(cluster.has(pods, 'child'), true, 'the state of its owner is unknown');
    cluster.objects.delete(cluster.path(things, 'last'));
    cluster.served.add(things);
    cluster.set(definitions, 'things.example.com');
    await cluster.during(SOON);
    assert.equal(cluster.has(pods, 'child'), false);
    await cluster.loop.end();
  });

  it('gives up on a definition that the server never serves', async () => {
    const cluster = new Cluster();
    await cluster.during(SOON);
    cluster.set(definitions, 'things.example.com');
    const asked = (await cluster.during(24 * HOUR)).filter((each) => each === 'GET /apis').length;
    assert.equal(asked, 8);
    await cluster.loop.end();
  });

  it('starts after 30 s even if a resource cannot be listed', async () => {
    const cluster = new Cluster();
    cluster.faults.set('GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      status: 500,
      object: 'broken',
    });
    cluster.set(pods, 'child', { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'owner', uid: 'x' }] });
    await cluster.during(29_000);
    assert.equal(cluster.has(pods, 'child'), true);
    await cluster.during(2000);
    assert.equal(cluster.has(pods, 'child'), false);
    await cluster.loop.end();
  });
});
