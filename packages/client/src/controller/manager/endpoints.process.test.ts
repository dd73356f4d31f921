import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DynamicClient } from '../../dynamic/index.js';
import { FakeObjects, settle } from '../../testing/index.js';
import type { ResourceType } from '../../typed/index.js';
import { Controller, ControllerManager } from '../index.js';

const sails: ResourceType = { group: 'ship.example', version: 'v1', kind: 'Sail', plural: 'sails', namespaced: true };

describe('endpoints of a manager', () => {
  it('serve health and metrics until the manager has stopped', async (t) => {
    let admit: (object: object) => void = () => undefined;
    const masts = { ...sails, kind: 'Mast', plural: 'masts' };
    const objects = new FakeObjects([sails], ({ path }) =>
      path.includes('watch=true') ? { lines: [] } : new Promise((resolve) => (admit = (object) => resolve({ object }))),
    );
    let wet = false;
    const stop = new AbortController();
    t.after(() => stop.abort());
    const reconcile = async () => {};
    let ended: () => void = () => undefined;
    const end = new Promise<void>((resolve) => (ended = resolve));
    const url = await new Promise<URL>((resolve, reject) => {
      const manager = new ControllerManager({
        client: new DynamicClient(objects.transport),
        endpoints: {
          port: 0,
          listening: resolve,
          health: [{ name: 'bilge', check: () => (wet ? Promise.reject(new Error('water')) : undefined) }],
        },
      });
      manager.add(new Controller({ for: sails, reads: [masts], reconcile }));
      manager.run(stop.signal).then(ended, reject);
    });
    const get = async (path: string, method = 'GET') => {
      const response = await fetch(new URL(path, url), { method });
      return `${response.status} ${await response.text()}`;
    };
    assert.equal(url.hostname, '127.0.0.1');
    assert.equal(await get('/healthz'), '200 [+]ping ok\n[+]bilge ok\n');
    assert.equal(await get('/readyz'), '500 [-]informers failed: reason withheld\n');
    assert.match(await get('/readyz/informers'), /^500 .*masts/);
    admit({ apiVersion: 'ship.example/v1', kind: 'MastList', metadata: { resourceVersion: '1' }, items: [] });
    while ((await get('/readyz')) !== '200 [+]informers ok\n') await settle();
    wet = true;
    assert.equal(await get('/healthz'), '500 [+]ping ok\n[-]bilge failed: reason withheld\n');
    assert.equal(await get('/healthz/bilge'), '500 [-]bilge failed: water\n');
    assert.equal(await get('/healthz?verbose'), '500 [+]ping ok\n[-]bilge failed: reason withheld\n');
    assert.match(await get('/metrics'), /^200 # HELP controller_runtime_active_workers /);
    assert.equal(await get('/metrics', 'HEAD'), '200 ');
    for (const path of ['/', '/livez', '/healthz/nothing', '/metrics/x', '/__proto__']) {
      assert.match(await get(path), /^404 /, path);
    }
    assert.match(await get('/healthz', 'POST'), /^405 /);
    stop.abort();
    await end;
    await assert.rejects(get('/healthz'));
  });

  it('stop the manager if they cannot listen', async (t) => {
    const stop = new AbortController();
    t.after(() => stop.abort());
    const taken = await new Promise<URL>((resolve) => {
      const client = new DynamicClient(new FakeObjects([]).transport);
      const first = new ControllerManager({ client, endpoints: { port: 0, listening: resolve } });
      first.add({ name: 'idle', run: aborted });
      void first.run(stop.signal);
    });
    const client = new DynamicClient(new FakeObjects([]).transport);
    const second = new ControllerManager({ client, endpoints: { port: Number(taken.port) } });
    second.add({ name: 'idle', run: aborted });
    await assert.rejects(second.run(stop.signal), { code: 'EADDRINUSE' });
  });
});

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
