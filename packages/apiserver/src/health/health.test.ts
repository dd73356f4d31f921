import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { RequestContext } from '../request/index.js';
import { FakeExchange } from '../testing/index.js';
import { healthChangeReporter } from './health-change-reporter.js';
import {
  informerSyncCheck,
  logCheck,
  pingCheck,
  shutdownCheck,
  storageReadinessCheck,
  storeCheck,
  storeReadinessCheck,
} from './check.js';
import { createHealth, type Health } from './health.js';

async function get(health: Health, path: string, query = ''): Promise<FakeExchange> {
  const exchange = new FakeExchange({ url: path });
  const handler = health.handlerFor(path);
  assert.ok(handler, path);
  await handler(new RequestContext(exchange, path, new URLSearchParams(query), 0));
  return exchange;
}

describe('health', () => {
  const clock = new VirtualClock();
  const draining = new AbortController();
  let storeFailure: Error | undefined;
  let waiting: string[] = [];
  const failures: string[] = [];
  const probe = (): Promise<void> => (storeFailure === undefined ? Promise.resolve() : Promise.reject(storeFailure));
  const isFull = (failure: unknown): boolean => failure instanceof Error && failure.message === 'disk is full';
  const health = createHealth(
    [
      pingCheck,
      logCheck(() => false),
      storeCheck(clock, probe, isFull),
      storeReadinessCheck(clock, probe),
      informerSyncCheck(() => waiting),
      { name: 'poststarthook/bootstrap', group: 'hooks', check: () => undefined },
      shutdownCheck(draining.signal),
    ],
    {
      onResult: (root, name, failure) => {
        if (failure !== undefined) failures.push(`${root} ${name}`);
      },
    },
  );

  it('answers ok, and the details on request', async () => {
    const plain = await get(health, '/livez');
    assert.equal(plain.status, 200);
    assert.equal(plain.body, 'ok');
    assert.equal(plain.responseHeaders['content-type'], 'text/plain; charset=utf-8');
    assert.equal(plain.responseHeaders['x-content-type-options'], 'nosniff');
    assert.equal(
      (await get(health, '/livez', 'verbose')).body,
      '[+]ping ok\n[+]log ok\n[+]etcd ok\n[+]poststarthook/bootstrap ok\nlivez check passed\n',
    );
    assert.equal(
      (await get(health, '/readyz', 'verbose=0')).body,
      '[+]ping ok\n[+]log ok\n[+]etcd ok\n[+]etcd-readiness ok\n[+]informer-sync ok\n[+]poststarthook/bootstrap ok\n[+]shutdown ok\n' +
        'readyz check passed\n',
    );
  });

  it('skips excluded checks, and warns about unknown names', async () => {
    assert.equal(
      (await get(health, '/healthz', 'verbose&exclude=etcd&exclude=hooks&exclude=b&exclude=a')).body,
      '[+]ping ok\n[+]log ok\n[+]etcd excluded: ok\n[+]poststarthook/bootstrap excluded with hooks: ok\n' +
        'warn: some health checks cannot be excluded: no matches for "a","b"\nhealthz check passed\n',
    );
  });

  it('fails without revealing the reason', async () => {
    storeFailure = new Error('disk is gone');
    try {
      const all = await get(health, '/livez');
      assert.equal(all.status, 500);
      assert.equal(
        all.body,
        '[+]ping ok\n[+]log ok\n[-]etcd failed: reason withheld\n[+]poststarthook/bootstrap ok\nlivez check failed\n',
      );
      assert.deepEqual(failures, ['livez etcd']);
      const one = await get(health, '/livez/etcd');
      assert.equal(one.status, 500);
      assert.equal(one.body, 'internal server error: disk is gone\n');
      assert.equal((await get(health, '/livez', 'exclude=etcd')).body, 'ok');
    } finally {
      storeFailure = undefined;
    }
  });

  it('is live with a full disk, but not ready', async () => {
    storeFailure = new Error('disk is full');
    try {
      assert.equal((await get(health, '/livez')).status, 200);
      assert.match((await get(health, '/readyz')).body, /\[\+\]etcd ok\n\[-\]etcd-readiness failed: reason withheld\n/);
      const one = await get(health, '/readyz/etcd-readiness');
      assert.equal(one.body, 'internal server error: disk is full\n');
    } finally {
      storeFailure = undefined;
    }
  });

  it('limits the time of a store check', async () => {
    const hanging = (signal: AbortSignal): Promise<void> =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('given up'))));
    const own = createHealth([storeCheck(clock, hanging, isFull), storeReadinessCheck(clock, hanging)]);
    const late = async (path: string): Promise<string> => {
      const answer = get(own, path);
      await clock.advance(2000);
      return (await answer).body;
    };
    assert.equal(
      await late('/readyz'),
      '[-]etcd failed: reason withheld\n[-]etcd-readiness failed: reason withheld\nreadyz check failed\n',
    );
    assert.equal(await late('/livez/etcd'), 'internal server error: context deadline exceeded\n');
  });

  it('logs a failure once, and its recovery', () => {
    const log: string[] = [];
    const changed = healthChangeReporter((text, path) => log.push(`${path}: ${text}`));
    changed('livez', 'etcd', undefined);
    for (const reason of ['gone', 'gone', 'full']) changed('readyz', 'etcd', new Error(reason));
    changed('livez', 'etcd', undefined);
    changed('livez', 'etcd', undefined);
    assert.deepEqual(log, [
      '/readyz/etcd: the check fails: gone',
      '/readyz/etcd: the check fails: full',
      '/livez/etcd: the check passes again',
    ]);
  });

  it('serves single checks under their roots', async () => {
    assert.equal((await get(health, '/healthz/ping')).body, 'ok');
    assert.equal((await get(health, '/livez/poststarthook/bootstrap')).body, 'ok');
    assert.equal(health.handlerFor('/livez/shutdown'), undefined);
    assert.equal(health.handlerFor('/livez/nope'), undefined);
    assert.ok(health.paths.includes('/readyz/shutdown'));
  });

  it('is live but not ready before caches are filled, and while it drains', async () => {
    waiting = ['pods'];
    assert.equal((await get(health, '/readyz')).status, 500);
    assert.match((await get(health, '/readyz/informer-sync')).body, /1 informers not started yet: \[pods\]/);
    waiting = [];
    assert.equal((await get(health, '/readyz')).status, 200);
    draining.abort();
    const draining500 = await get(health, '/readyz');
    assert.equal(draining500.status, 500);
    assert.match(draining500.body, /\[-\]shutdown failed: reason withheld\nreadyz check failed\n$/);
    assert.equal((await get(health, '/livez')).status, 200);
  });

  it('is ready when no storage is being initialized', async () => {
    const storages: string[] = ['pods', 'deployments.apps'];
    const own = createHealth([storageReadinessCheck(() => storages)]);
    assert.equal(own.handlerFor('/livez/poststarthook/storage-readiness'), undefined, 'alive all the same');
    const one = '/readyz/poststarthook/storage-readiness';
    assert.equal(
      (await get(own, one)).body,
      'internal server error: 2 storages not ready yet: [pods deployments.apps]\n',
    );
    storages.length = 0;
    assert.equal((await get(own, one)).body, 'ok');
  });
});
