import { VirtualClock } from '@binnacle/apimachinery/clock';
import { parseJson } from '@binnacle/apimachinery/json';
import { StatusError } from '@binnacle/apimachinery/status';
import { type KV, KVError } from '@binnacle/kv';
import { openMemoryKV } from '@binnacle/kv/memory';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Decision } from '../authorization/index.js';
import { parseTarget, RequestContext } from '../request/index.js';
import { FakeExchange, withMethods } from '../testing/index.js';
import { createForkPages, Forks, Snapshots, type StartFork } from './index.js';

const START = Date.UTC(2026, 10, 28, 10, 0, 0);
const value = Buffer.from('1');

interface Server {
  readonly send: (method: string, url: string, body?: string) => Promise<{ status: number; body: unknown }>;
  readonly refusal: (method: string, url: string, body?: string) => Promise<string>;
  readonly forks: Forks;
  readonly snapshots: Snapshots;
  readonly notes: string[];
}

interface Parts {
  readonly start?: StartFork;
  readonly decision?: Decision;
  readonly isForkable?: boolean;
}

/** The pages over a store. */
function serve(kv: KV, clock: VirtualClock, { start, decision, isForkable = true }: Parts = {}): Server {
  const notes: string[] = [];
  const started: StartFork = async ({ revision, port, sharesCredentials }) => {
    notes.push(`start ${revision} ${port} ${sharesCredentials}`);
    return {
      url: 'https://127.0.0.1:1',
      kubeconfig: 'secret',
      stop: async () => void notes.push(`stop ${revision}`),
    };
  };
  const forks = new Forks({ start: start ?? started, clock });
  const snapshots = new Snapshots({ kv, clock });
  const authorizer = { authorize: async () => decision ?? ({ allowed: true, reason: '' } as const) };
  const resourceUnder = (prefix: string): string => prefix.replaceAll('/', '');
  const pages = createForkPages({ kv, snapshots, forks: isForkable ? forks : undefined, authorizer, resourceUnder });
  const send: Server['send'] = async (method, url, body) => {
    const { path, query } = parseTarget(url);
    const exchange = new FakeExchange({ method, url, ...(body === undefined ? {} : { body }) });
    const handler = pages.handlerFor(path);
    assert.ok(handler !== undefined, `${path} is not served`);
    const context = new RequestContext(exchange, path, query, 0);
    context.user = { name: 'jane', uid: '', groups: [], extra: {} };
    await handler(context);
    return { status: exchange.status, body: parseJson(Buffer.from(exchange.body)).value };
  };
  const refusal: Server['refusal'] = async (method, url, body) => {
    const error: unknown = await send(method, url, body).catch((reason: unknown) => reason);
    assert.ok(error instanceof StatusError, String(error));
    return `${error.code} ${error.message}`;
  };
  return { send, refusal, forks, snapshots, notes };
}

const [SNAPSHOTS, FORKS] = ['/binnacle/v1/snapshots', '/binnacle/v1/forks'];

/** A store with one key, whose versions are a minute apart. */
async function store(clock: VirtualClock, writes = 3) {
  const kv = openMemoryKV({ clock });
  for (let revision = 0, write = 0; write < writes; write += 1) {
    ({ revision } = await kv.txn({ key: '/a', expectedRevision: revision, operation: { type: 'put', value } }));
    clock.skip(60_000);
  }
  return kv;
}

describe('/binnacle/v1/snapshots', () => {
  it('names the newest revision, another one, or that of a time, also after a restart', async () => {
    const clock = new VirtualClock(START);
    await using kv = await store(clock);
    const { send } = serve(kv, clock);
    const taken = { resourceVersion: '4', time: '2026-11-28T10:03:00.000Z' };
    const kinds = { kind: 'Snapshot', apiVersion: 'binnacle.dev/v1' };
    const made = await send('POST', SNAPSHOTS, '{"name":"now"}');
    assert.deepEqual(made, { status: 201, body: { ...kinds, name: 'now', ...taken } });
    await send('POST', SNAPSHOTS, '{"name":"first","at":"2"}');
    await send('POST', SNAPSHOTS, '{"name":"second","at":"2026-11-28T10:01:30Z"}');
    await send('POST', SNAPSHOTS, '{"name":"copy","at":"second"}');
    const restarted = serve(kv, clock);
    assert.equal(restarted.snapshots.oldest(1), 2);
    const found = await restarted.snapshots.list();
    assert.deepEqual(
      found.map(({ name, revision }) => `${name} ${revision}`),
      ['first 2', 'second 3', 'copy 3', 'now 4'],
    );
    const one = await restarted.send('GET', `${SNAPSHOTS}/first`);
    assert.deepEqual(one.body, { ...kinds, name: 'first', ...taken, resourceVersion: '2' });
    await restarted.send('DELETE', `${SNAPSHOTS}/first`);
    const { body } = await restarted.send('GET', SNAPSHOTS);
    assert.match(JSON.stringify(body), /^{"kind":"SnapshotList",.*"items":\[{"name":"second",/);
    assert.equal(restarted.snapshots.oldest(1), 3);
  });

  it('refuses names that are taken or absent, and points that are compacted or malformed', async () => {
    const clock = new VirtualClock(START);
    await using kv = await store(clock);
    const { send, refusal } = serve(kv, clock);
    const add = (body: object) => refusal('POST', SNAPSHOTS, JSON.stringify(body));
    await send('POST', SNAPSHOTS, '{"name":"old","at":"2"}');
    await kv.compact(3);
    assert.deepEqual((await send('GET', SNAPSHOTS)).body, {
      kind: 'SnapshotList',
      apiVersion: 'binnacle.dev/v1',
      items: [],
    });
    await send('POST', SNAPSHOTS, '{"name":"taken"}');
    assert.match(await add({ name: 'taken' }), /^409 .*"taken" already exists$/);
    assert.match(
      await add({ name: 'a', at: '2' }),
      /^410 The history is no longer kept: revision 2 has been compacted/,
    );
    assert.match(await add({ name: 'a', at: '2026-11-28T09:00:00Z' }), /^410 The history is no longer kept/);
    assert.match(await add({ name: 'a', at: '9' }), /^400 revision 9 has not been reached, the newest is 4$/);
    assert.match(await add({ name: 'a', at: 'none' }), /^400 there is no snapshot "none"$/);
    assert.match(await add({ name: 'a', at: 'Now' }), /^400 "Now" is not a resourceVersion, a time .* of a snapshot$/);
    for (const name of ['7', 'A', 'a-', 'a/b', 'x'.repeat(64)]) assert.match(await add({ name }), /^400 name must be/);
    assert.match(await add({}), /^400 name is missing$/);
    assert.match(await add({ name: 'a', at: 2 }), /^400 at must be a string$/);
    assert.match(await add({ name: 'a', port: 1 }), /^400 unknown field "port"$/);
    assert.match(await refusal('POST', SNAPSHOTS, '[]'), /^400 the body is not a JSON object$/);
    assert.match(await refusal('POST', SNAPSHOTS, '{'), /^400 the body is not JSON: /);
    assert.match(await refusal('GET', `${SNAPSHOTS}/none`), /^404 .*"none" not found$/);
    assert.match(await refusal('DELETE', `${SNAPSHOTS}/none`), /^404 /);
    assert.match(await refusal('PUT', SNAPSHOTS), /^405 /);
  });

  it('bounds their number', async () => {
    const clock = new VirtualClock(START);
    await using kv = await store(clock);
    const { send, refusal } = serve(kv, clock);
    const name = (index: number): string => `${'n'.repeat(60)}${100 + index}`;
    for (let index = 0; index < 30; index += 1) await send('POST', SNAPSHOTS, `{"name":"${name(index)}"}`);
    assert.match(await refusal('POST', SNAPSHOTS, '{"name":"more"}'), /^429 there are 30 snapshots already/);
  });

  it('needs a store with a history', async () => {
    const clock = new VirtualClock(START);
    await using kv = await store(clock);
    const { refusal } = serve(withMethods(kv, {}), clock);
    assert.match(await refusal('POST', SNAPSHOTS, '{"name":"a"}'), /^400 the store of this server, etcd, has neither/);
  });
});

describe('/binnacle/v1/forks', () => {
  it('starts a server of the newest state or of a point, and stops it', async () => {
    const clock = new VirtualClock(START);
    await using kv = await store(clock);
    const { send, refusal, notes, forks } = serve(kv, clock);
    const { status, body } = await send('POST', FORKS);
    const facts = {
      name: 'fork-1',
      resourceVersion: '4',
      time: '2026-11-28T10:03:00.000Z',
      url: 'https://127.0.0.1:1',
    };
    const fork = { kind: 'Fork', apiVersion: 'binnacle.dev/v1', ...facts };
    assert.deepEqual([status, body], [201, { ...fork, kubeconfig: 'secret' }]);
    await send('POST', SNAPSHOTS, '{"name":"before","at":"2"}');
    await send('POST', FORKS, '{"name":"bad-rollout","at":"before","port":7443,"sharesCredentials":true}');
    assert.deepEqual(notes, ['start 4 0 false', 'start 2 7443 true']);
    assert.match(await refusal('POST', FORKS, '{"name":"bad-rollout"}'), /^409 /);
    assert.match(await refusal('POST', FORKS, '{"port":65536}'), /^400 port must be from 0 to 65535$/);
    assert.match(
      await refusal('POST', FORKS, '{"sharesCredentials":1}'),
      /^400 sharesCredentials must be true or false$/,
    );
    assert.deepEqual((await send('GET', `${FORKS}/fork-1`)).body, fork, 'without the kubeconfig');
    assert.deepEqual((await send('DELETE', `${FORKS}/fork-1`)).body, fork);
    assert.match(await refusal('DELETE', `${FORKS}/fork-1`), /^404 /);
    assert.deepEqual(notes.slice(2), ['stop 4']);
    await forks.close();
    await forks.close();
    assert.deepEqual(notes.slice(2), ['stop 4', 'stop 2']);
    assert.match(await refusal('POST', FORKS), /^503 /);
  });

  it('keeps nothing of a start that fails, and bounds the number', async () => {
    const clock = new VirtualClock(START);
    await using kv = await store(clock);
    const failing = serve(kv, clock, { start: () => Promise.reject(new KVError('compacted', 'gone')) });
    assert.match(await failing.refusal('POST', FORKS), /^410 The history is no longer kept: gone\.$/);
    assert.deepEqual(failing.forks.list(), []);
    const values = { forgotten: { prefix: '/secrets/', revision: 3 } };
    const lacking = serve(kv, clock, { start: () => Promise.reject(new KVError('compacted', 'gone', values)) });
    assert.equal(
      await lacking.refusal('POST', FORKS),
      '410 The history is no longer kept: a fork of this point would lack former values of secrets; ' +
        'the oldest revision with all of them is 3.',
    );
    const { send, refusal, forks } = serve(kv, clock);
    for (let index = 0; index < 100; index += 1) await send('POST', FORKS);
    assert.match(await refusal('POST', FORKS), /^429 there are 100 forks already/);
    await forks.close();
  });

  it('is only for administrators, and only where the server can be forked', async () => {
    const clock = new VirtualClock(START);
    await using kv = await store(clock);
    const denied = serve(kv, clock, { decision: { allowed: false, reason: '' } });
    const message = '403 forbidden: User "jane" is not an administrator, who may do everything on all resources';
    for (const path of [FORKS, SNAPSHOTS, `${FORKS}/a`]) assert.equal(await denied.refusal('GET', path), message);
    const unsure = serve(kv, clock, { decision: { allowed: false, reason: '', error: 'cannot decide' } });
    assert.match(await unsure.refusal('GET', FORKS), /^500 .*cannot decide/);
    await assert.rejects(serve(kv, clock, { isForkable: false }).send('GET', FORKS), /is not served/);
  });
});
