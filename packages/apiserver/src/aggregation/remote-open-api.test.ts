import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle, VirtualClock } from '@binnacle/apimachinery/clock';
import { stringifyJson, type JsonObject } from '@binnacle/apimachinery/json';
import { messageOf } from '../testing/index.js';
import { FakeBackends, serviceOf } from './backend.testing.js';
import { RemoteDocuments } from './remote-open-api.js';

const NAME = 'apis/example.com/v1';
const MINUTE = 60_000;
const v2 = { swagger: '2.0', info: { title: 'T', version: 'v' }, paths: { [`/${NAME}/things`]: { get: {} } } };
const v3 = { paths: { [NAME]: { serverRelativeURL: `/openapi/v3/${NAME}?hash=1` } } };

/** Enough turns for a fetch: streams, a digest and the reading take some each. */
async function fetched(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await settle();
}

type Documents = Readonly<Record<string, JsonObject | number>>;

/** A backend that serves these documents, and answers any other path with 404 or, for a number, this status. */
function asking(initial: Documents) {
  let documents = initial;
  const clock = new VirtualClock();
  const reports = new Set<unknown>();
  const backends = new FakeBackends(({ url }) => {
    const document = documents[url] ?? 404;
    return typeof document === 'number'
      ? messageOf({ status: document })
      : messageOf({ body: [stringifyJson(document)] });
  });
  const services = new Map([['v1.example.com', serviceOf()]]);
  const remote = new RemoteDocuments({
    backends,
    clock,
    find: (name) => services.get(name),
    handler: () => () => undefined,
    report: (error) => reports.add(error),
  });
  return {
    clock,
    remote,
    reports,
    services,
    serve: (changed: Documents) => (documents = changed),
    ask: async () => {
      remote.changed('v1.example.com');
      await fetched();
    },
  };
}

describe('the documents of a backend', () => {
  it('are its own v3 documents', async () => {
    const { remote, ask } = asking({ '/openapi/v2': v2, '/openapi/v3': v3 });
    await ask();
    const found = remote.v3().get(NAME);
    assert.ok(found !== undefined && 'url' in found);
    assert.equal(found.url, `/openapi/v3/${NAME}?hash=1`);
    assert.deepEqual(Object.keys(remote.v2()[0]?.paths ?? {}), [`/${NAME}/things`]);
  });

  it('are its v2 document where it has no v3 documents', async () => {
    const { remote, ask } = asking({ '/openapi/v2': v2 });
    await ask();
    const found = remote.v3().get(NAME);
    assert.ok(found !== undefined && 'v2' in found);
    assert.equal(found.v2, remote.v2()[0]);
  });

  it('are not made from v2 while the backend does not say whether it has v3, or where its v3 has another group', async () => {
    for (const answer of [503, { paths: {} }]) {
      const { remote, ask } = asking({ '/openapi/v2': v2, '/openapi/v3': answer });
      await ask();
      assert.equal(remote.v2().length, 1);
      assert.equal(remote.v3().size, 0);
    }
  });

  it('are asked for again after a minute, and make no new revision when they are the same', async () => {
    const { remote, clock, ask, serve } = asking({ '/openapi/v2': v2 });
    await ask();
    const before = remote.v3().get(NAME);
    const { revision } = remote;
    await clock.advance(MINUTE);
    await fetched();
    assert.equal(remote.revision, revision);
    assert.deepEqual(remote.v3().get(NAME), before);
    serve({ '/openapi/v2': v2, '/openapi/v3': v3 });
    await clock.advance(MINUTE);
    await fetched();
    assert.ok(remote.revision > revision);
    assert.ok('url' in (remote.v3().get(NAME) ?? {}));
  });

  it('go with the APIService', async () => {
    const { remote, services, ask } = asking({ '/openapi/v2': v2 });
    await ask();
    services.clear();
    await ask();
    assert.deepEqual([remote.v2().length, remote.v3().size], [0, 0]);
  });

  it('are refused with the reason when they cannot be used', async () => {
    const { remote, reports, ask } = asking({ '/openapi/v2': { swagger: '3' }, '/openapi/v3': { paths: 7 } });
    await ask();
    assert.equal(remote.v3().size, 0);
    const expected = [
      'v1.example.com: /openapi/v2: the backend sent no OpenAPI v2 document',
      'v1.example.com: /openapi/v3: the backend sent no list of OpenAPI documents',
    ];
    assert.deepEqual(reports, new Set(expected));
  });
});
