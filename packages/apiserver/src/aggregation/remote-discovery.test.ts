import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle, VirtualClock } from '@binnacle/apimachinery/clock';
import { stringifyJson, type JsonObject } from '@binnacle/apimachinery/json';
import { messageOf } from '../testing/index.js';
import { FakeBackends, refused, serviceOf } from './backend.testing.js';
import { RemoteDiscovery } from './remote-discovery.js';

const NAME = 'v1.example.com';
const MINUTE = 60_000;
const list = (...names: string[]): JsonObject => ({
  kind: 'APIResourceList',
  resources: names.map((name) => ({ name, kind: 'Thing', namespaced: true, verbs: ['get'] })),
});
const groups = (version: string, ...names: string[]): JsonObject => ({
  kind: 'APIGroupDiscoveryList',
  items: [
    {
      metadata: { name: 'example.com' },
      versions: [{ version, resources: names.map((resource) => ({ resource, scope: 'Namespaced', verbs: ['get'] })) }],
    },
  ],
});

/** Enough turns for a fetch: streams, a digest and the reading take some each. */
async function fetched(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await settle();
}

/** A backend with an aggregated document, if any, and a list. */
function asking(initial: { readonly aggregated?: JsonObject; readonly list?: JsonObject | Error | number }) {
  let documents = initial;
  let changes = 0;
  const clock = new VirtualClock();
  const reports: string[] = [];
  const services = new Map([[NAME, serviceOf()]]);
  const backends = new FakeBackends(({ url }) => {
    const type = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    if (url === '/apis' && documents.aggregated !== undefined) {
      return messageOf({ headers: { 'content-type': type }, body: [stringifyJson(documents.aggregated)] });
    }
    const answer = url === '/apis/example.com/v1' ? (documents.list ?? 404) : 404;
    if (answer instanceof Error) return answer;
    return typeof answer === 'number'
      ? messageOf({ status: answer, body: ['{}'] })
      : messageOf({ body: [stringifyJson(answer)] });
  });
  const discovery = new RemoteDiscovery({
    // It uses these members alone.
    backends: backends as unknown as ConstructorParameters<typeof RemoteDiscovery>[0]['backends'],
    clock,
    find: (name) => services.get(name),
    changed: () => changes++,
    report: (error) => reports.push(String(error)),
  });
  return {
    clock,
    services,
    reports,
    backends,
    discovery,
    serve: (changed: typeof initial) => (documents = changed),
    changes: () => changes,
    found: () => {
      const { resources, freshness } = discovery.resourcesOf(NAME);
      return [freshness, ...resources.map((each) => each['resource'])];
    },
    ask: async () => {
      discovery.changed(NAME);
      await fetched();
    },
  };
}

describe('the resources of a backend', () => {
  for (const [what, documents, expected] of [
    ['its aggregated document', { aggregated: groups('v1', 'a', 'b'), list: list('c') }, ['Current', 'a', 'b']],
    ['its list if it has no aggregated document', { list: list('c') }, ['Current', 'c']],
    ['none if the aggregated document has another version', { aggregated: groups('v2', 'a') }, ['Current']],
  ] as const) {
    it(`are those of ${what}`, async () => {
      const { ask, found, reports } = asking(documents);
      await ask();
      assert.deepEqual(found(), expected);
      assert.deepEqual(reports, []);
    });
  }

  for (const [what, answer, reason] of [
    ['does not answer', refused(), /^$/],
    ['sends another document', { kind: 'Pod' }, /the backend sent no list of resources/],
    ['answers with an error', 500, /the backend sent no list of resources/],
  ] as const) {
    it(`are stale if it ${what}`, async () => {
      const { ask, found, reports } = asking({ list: answer });
      await ask();
      assert.deepEqual(found(), ['Stale']);
      assert.match(reports.join(), reason);
    });
  }

  it('are asked for again after a minute, and change only with the document', async () => {
    const { clock, ask, found, changes, serve, backends } = asking({ list: list('a') });
    await ask();
    const { length } = backends.received;
    await clock.advance(MINUTE);
    await fetched();
    assert.equal(backends.received.length, 2 * length);
    assert.equal(changes(), 1);
    serve({ list: list('b') });
    await clock.advance(MINUTE);
    await fetched();
    assert.deepEqual([...found(), changes()], ['Current', 'b', 2]);
  });

  it('are forgotten when the APIService or its backend is gone', async () => {
    for (const left of [undefined, serviceOf({ backend: undefined })]) {
      const { ask, found, services, clock, backends } = asking({ list: list('a') });
      await ask();
      const { length } = backends.received;
      if (left === undefined) services.clear();
      else services.set(NAME, left);
      await ask();
      assert.deepEqual(found(), ['Stale']);
      await clock.advance(2 * MINUTE);
      await fetched();
      assert.equal(backends.received.length, length);
    }
  });
});
