import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DynamicClient } from '../../dynamic/index.js';
import { FakeObjects, VirtualClock, settle } from '../../testing/index.js';
import type { ResourceType } from '../../typed/index.js';
import {
  Controller,
  ControllerManager,
  type ControllerManagerOptions,
  NotStoppedError,
  type ReconcileContext,
  type Runnable,
} from '../index.js';

const sails: ResourceType = { group: 'ship.example', version: 'v1', kind: 'Sail', plural: 'sails', namespaced: true };
const sail = (name: string) => ({
  apiVersion: 'ship.example/v1',
  kind: 'Sail',
  metadata: { name, namespace: 'sea' },
});
const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

function manage(options: Partial<ControllerManagerOptions> = {}) {
  const clock = new VirtualClock();
  const objects = new FakeObjects([sails]);
  const reports: unknown[] = [];
  const manager = new ControllerManager({
    client: new DynamicClient(objects.transport),
    clock,
    report: (error) => reports.push(error),
    ...options,
  });
  return { clock, objects, manager, reports, stop: new AbortController() };
}

/** Records when it starts and ends. */
function logged(name: string, log: string[], run: Runnable['run'] = aborted): Runnable {
  return {
    name,
    run: async (signal) => {
      log.push(`${name} begins`);
      try {
        await run(signal);
      } finally {
        log.push(`${name} ends`);
      }
    },
  };
}

describe('controller manager', () => {
  it('runs controllers over one set of informers until its signal fires', async () => {
    const { manager, objects, stop, clock } = manage();
    const calls: string[] = [];
    for (const name of ['one', 'other']) {
      const reconcile = async ({ name: of }: { name: string }) => {
        calls.push(`${name} ${of}`);
      };
      manager.add(new Controller({ name, for: sails, reconcile }));
    }
    objects.set(sails, sail('a'));
    const ended = manager.run(stop.signal);
    await settle();
    assert.deepEqual(calls, ['one a', 'other a']);
    assert.equal(objects.transport.requests.filter(({ path }) => !path.includes('watch')).length, 1);
    assert.equal(clock.waiting, 0);
    stop.abort();
    await ended;
    assert.equal(clock.waiting, 0);
  });

  it('writes pending events before it ends', async () => {
    let write: () => void = () => undefined;
    const objects = new FakeObjects([sails], async ({ method, path, body }) => {
      assert.equal(`${method} ${path}`, 'POST /api/v1/namespaces/sea/events');
      await new Promise<void>((resolve) => (write = resolve));
      return { status: 201, object: JSON.parse(String(body)) as object };
    });
    const { manager, stop } = manage({ client: new DynamicClient(objects.transport) });
    const reconcile = async (_: unknown, { recorder, signal }: ReconcileContext) => {
      await aborted(signal);
      recorder.event(sail('a'), 'Normal', 'Furled', 'the day is over');
    };
    manager.add(new Controller({ for: sails, reconcile }));
    objects.set(sails, sail('a'));
    let hasEnded = false;
    const ended = manager.run(stop.signal).then(() => (hasEnded = true));
    await settle();
    stop.abort();
    await settle();
    assert.equal(hasEnded, false);
    write();
    await ended;
  });

  it('stops all components when one fails, and rejects with its error', async () => {
    const { manager, stop, clock } = manage();
    const log: string[] = [];
    let fail: (error: Error) => void = () => undefined;
    manager.add(logged('steady', log));
    manager.add(logged('broken', log, () => new Promise((_, reject) => (fail = reject))));
    const ended = manager.run(stop.signal);
    await settle();
    fail(new Error('sunk'));
    await assert.rejects(ended, /^Error: sunk$/);
    assert.deepEqual(log, ['steady begins', 'broken begins', 'broken ends', 'steady ends']);
    assert.equal(clock.waiting, 0);
  });

  it('waits for slow components only during the grace period', async () => {
    const { manager, stop, clock } = manage({ gracePeriod: 1000 });
    manager.add({ name: 'deaf', run: () => new Promise(() => undefined) });
    manager.add({ name: 'quick', run: aborted });
    const ended = manager.run(stop.signal);
    let settled = false;
    const outcome = ended.then(
      () => undefined,
      (error: unknown) => {
        settled = true;
        return error;
      },
    );
    stop.abort();
    await clock.advance(999);
    assert.equal(settled, false);
    await clock.advance(1);
    const error = await outcome;
    assert.ok(error instanceof NotStoppedError);
    assert.equal(error.message, 'did not stop within 1000 ms: deaf');
  });

  it('runs controllers while it leads, and informers before that', async () => {
    let lead: () => void = () => undefined;
    const log: string[] = [];
    const { manager, objects, stop } = manage({
      leadership: {
        async run(work, signal) {
          await new Promise<void>((resolve) => (lead = resolve));
          log.push('leads');
          await work(signal);
          log.push('released');
        },
      },
    });
    manager.add(logged('webhooks', log), { needsLeadership: false });
    manager.add(logged('alone', log));
    manager.add(new Controller({ for: sails, reconcile: async ({ name }) => void log.push(`reconciles ${name}`) }));
    objects.set(sails, sail('a'));
    const ended = manager.run(stop.signal);
    await settle();
    assert.deepEqual(log.splice(0), ['webhooks begins']);
    assert.equal(objects.transport.requests.length, 2, 'a list and a watch');
    lead();
    await settle();
    assert.deepEqual(log.splice(0), ['leads', 'alone begins', 'reconciles a']);
    stop.abort();
    await ended;
    assert.deepEqual(log, ['webhooks ends', 'alone ends', 'released']);
    assert.equal(objects.transport.requests.length, 2);
  });

  it('ends when it loses leadership', async () => {
    const log: string[] = [];
    const term = new AbortController();
    const { manager, stop, clock } = manage({
      leadership: {
        async run(work) {
          await work(term.signal);
          throw new Error('leadership lost');
        },
      },
    });
    manager.add(logged('webhooks', log), { needsLeadership: false });
    manager.add(logged('alone', log));
    const ended = manager.run(stop.signal);
    await settle();
    term.abort();
    await assert.rejects(ended, /leadership lost/);
    assert.deepEqual(log.slice(2).toSorted(), ['alone ends', 'webhooks ends']);
    assert.equal(clock.waiting, 0);
  });

  it('rejects duplicate names and late additions', async () => {
    const { manager, stop } = manage();
    const controller = new Controller({ for: sails, reconcile: async () => {} });
    manager.add(controller);
    assert.throws(() => manager.add({ name: 'sail', run: aborted }), /the manager already has a sail/);
    const ended = manager.run(stop.signal);
    assert.throws(() => manager.add({ name: 'late', run: aborted }), /already running/);
    await assert.rejects(manager.run(stop.signal), /can run only once/);
    stop.abort();
    await ended;
  });

  it('starts nothing if its signal has already fired', async () => {
    const { manager, objects } = manage();
    manager.add(new Controller({ for: sails, reconcile: async () => {} }));
    await manager.run(AbortSignal.abort());
    assert.deepEqual(objects.transport.requests, []);
  });
});
