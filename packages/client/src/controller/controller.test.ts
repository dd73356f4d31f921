import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomOf } from '@binnacle/apimachinery/clock';
import { SharedInformerFactory } from '../cache/index.js';
import { DynamicClient } from '../dynamic/index.js';
import { FakeObjects, VirtualClock, settle } from '../testing/index.js';
import type { ResourceType, TypedObject } from '../typed/index.js';
import { ExponentialLimiter } from '../workqueue/index.js';
import {
  type Component,
  Controller,
  ReconcileError,
  type ReconcileContext,
  type ReconcileRequest,
  type ReconcileResult,
  TerminalError,
} from './index.js';

interface Sail extends TypedObject {
  readonly spec?: { readonly mast: string };
}
const sails: ResourceType<Sail> = {
  group: 'ship.example',
  version: 'v1',
  kind: 'Sail',
  plural: 'sails',
  namespaced: true,
};
const masts: ResourceType = { group: 'ship.example', version: 'v1', kind: 'Mast', plural: 'masts', namespaced: true };
const harbours: ResourceType = { ...masts, kind: 'Harbour', plural: 'harbours', namespaced: false };

const sail = (name: string, mast = 'main'): Sail => ({
  apiVersion: 'ship.example/v1',
  kind: 'Sail',
  metadata: { name, namespace: 'sea' },
  spec: { mast },
});
const ownedBy = (name: string, more: object = {}): TypedObject => {
  const owner = { apiVersion: 'ship.example/v1beta1', kind: 'Mast', name, uid: name, controller: true, ...more };
  return { ...sail('s'), metadata: { name: 's', namespace: 'sea', ownerReferences: [owner] } };
};
const textOf = ({ namespace, name }: ReconcileRequest) => (namespace === undefined ? name : `${namespace}/${name}`);

/** Records calls and runs the test's own function. */
function recorder(act: (name: string, context: ReconcileContext) => Promise<ReconcileResult | void> = async () => {}) {
  const calls: string[] = [];
  const reconcile = (request: ReconcileRequest, context: ReconcileContext) => {
    calls.push(textOf(request));
    return act(request.name, context);
  };
  return { calls, reconcile };
}

/** Runs the controller against objects that a test sets. */
function start(component: Component, objects = new FakeObjects([sails, masts, harbours])) {
  const clock = new VirtualClock();
  const client = new DynamicClient(objects.transport);
  const reports: unknown[] = [];
  const informers = new SharedInformerFactory(client, {
    clock,
    onError: (error) => reports.push(error),
    random: randomOf(() => 0),
  });
  const runnable = component.bind({ client, informers, clock, report: (error) => reports.push(error) });
  const stop = new AbortController();
  informers.start(stop.signal);
  const stopController = new AbortController();
  const ended = runnable.run(stopController.signal);
  const end = async () => {
    stopController.abort();
    await ended;
    stop.abort();
    await settle();
    assert.equal(clock.waiting, 0);
  };
  return { objects, clock, reports, runnable, ended, end, stopController };
}

describe('controller', () => {
  it('watches and reads only selected objects', async () => {
    let read: readonly Sail[] = [];
    const controller = new Controller({
      name: 'n',
      watches: [
        { resource: sails, map: () => [{ namespace: undefined, name: 'all' }], select: { fieldSelector: 'a=b' } },
      ],
      reconcile: async (_, { lister }) => {
        read = lister(sails).list();
      },
    });
    const objects = new FakeObjects([sails]);
    objects.set(sails, sail('jib'));
    const { end } = start(controller, objects);
    await settle();
    assert.equal(read.length, 1);
    const paths = objects.transport.requests.map(({ path }) => path);
    assert.equal(paths.length, 2);
    for (const path of paths) assert.match(path, /[?&]fieldSelector=a%3Db/);
    await end();
  });

  it('reconciles existing objects and changes', async () => {
    const { calls, reconcile } = recorder();
    const { objects, clock, end } = start(new Controller({ for: sails, reconcile }));
    objects.set(sails, sail('a'));
    await settle();
    assert.deepEqual(calls.splice(0), ['sea/a']);
    objects.set(sails, sail('a', 'mizzen'));
    await settle();
    objects.delete(sails, sail('a').metadata);
    await settle();
    assert.deepEqual(calls.splice(0), ['sea/a', 'sea/a']);
    assert.equal(clock.waiting, 0, 'idle, it waits for nothing but changes');
    await end();
  });

  it('starts once all its informers have synced', async () => {
    const objects = new FakeObjects([sails]);
    objects.set(sails, sail('a'));
    const { calls, reconcile } = recorder();
    const { clock, end, ended, stopController } = start(
      new Controller({ for: sails, reads: [masts], reconcile }),
      objects,
    );
    await clock.advance(100_000);
    assert.deepEqual(calls, []);
    stopController.abort();
    await ended;
    await end();
  });

  it('coalesces changes and reconciles one object at most once at a time', async () => {
    const running = new Map<string, () => void>();
    const { calls, reconcile } = recorder((name) => {
      assert.equal(running.has(name), false);
      return new Promise((resolve) => running.set(name, resolve));
    });
    const objects = new FakeObjects([sails]);
    for (const name of ['a', 'b', 'c']) objects.set(sails, sail(name));
    const { end } = start(new Controller({ for: sails, reconcile, concurrency: 2 }), objects);
    await settle();
    assert.deepEqual(calls.splice(0), ['sea/a', 'sea/b']);
    for (const mast of ['1', '2', '3']) {
      objects.set(sails, sail('a', mast));
      await settle();
    }
    const finish = async (name: string) => {
      const resolve = running.get(name);
      running.delete(name);
      resolve?.();
      await settle();
    };
    await finish('a');
    // A new change has priority over the initial list.
    assert.deepEqual(calls.splice(0), ['sea/a']);
    await finish('a');
    assert.deepEqual(calls.splice(0), ['sea/c']);
    await finish('b');
    await finish('c');
    assert.deepEqual(calls, []);
    await end();
  });

  it('reconciles the controller of a changed object', async () => {
    const { calls, reconcile } = recorder();
    const { objects, end } = start(new Controller({ for: masts, owns: [sails], reconcile }));
    await settle();
    const hears = async (object: TypedObject, expected: readonly string[]) => {
      objects.set(sails, object);
      await settle();
      assert.deepEqual(calls.splice(0).toSorted(), expected);
    };
    await hears(ownedBy('fore'), ['sea/fore']);
    await hears(ownedBy('main'), ['sea/fore', 'sea/main']);
    await hears(ownedBy('main', { kind: 'Sail' }), ['sea/main']);
    await hears(ownedBy('main', { apiVersion: 'v1' }), []);
    await hears(ownedBy('main', { controller: false }), []);
    await hears(ownedBy('main'), ['sea/main']);
    objects.delete(sails, sail('s').metadata);
    await settle();
    assert.deepEqual(calls, ['sea/main']);
    await end();
  });

  it('requests a cluster-scoped owner without a namespace', async () => {
    const { calls, reconcile } = recorder();
    const { objects, end } = start(new Controller({ for: harbours, owns: [{ resource: sails }], reconcile }));
    objects.set(sails, ownedBy('bay', { kind: 'Harbour' }));
    await settle();
    assert.deepEqual(calls, ['bay']);
    await end();
  });

  it('maps other kinds before and after an update', async () => {
    const { calls, reconcile } = recorder();
    const controller = new Controller({
      name: 'rigger',
      watches: [
        {
          resource: sails,
          map: ({ spec, metadata }) => [{ namespace: metadata.namespace, name: spec?.mast ?? '' }],
          predicate: ({ type, object }) => type !== 'delete' && object.spec?.mast !== 'none',
        },
        { resource: harbours, map: () => [{ namespace: undefined, name: 'all' }] },
      ],
      reads: [masts, { resource: sails, indexes: { mast: ({ spec }) => [spec?.mast] } }],
      reconcile,
    });
    const { objects, end } = start(controller);
    await settle();
    objects.set(sails, sail('a', 'fore'));
    await settle();
    objects.set(sails, sail('a', 'main'));
    await settle();
    objects.delete(sails, sail('a').metadata);
    objects.set(sails, sail('b', 'none'));
    await settle();
    objects.set(harbours, { ...sail('bay'), metadata: { name: 'bay' } });
    await settle();
    assert.deepEqual(calls, ['sea/fore', 'sea/fore', 'sea/main', 'all']);
    await end();
  });

  it('delays the requests of a kind, and joins them', async () => {
    const { calls, reconcile } = recorder();
    const map = () => [{ namespace: undefined, name: 'all' }];
    const watches = [{ resource: sails, map, delay: 1000 }];
    const { objects, clock, end } = start(new Controller({ name: 'n', watches, reconcile }));
    objects.set(sails, sail('a'));
    await settle();
    await clock.advance(999);
    objects.set(sails, sail('b'));
    await settle();
    assert.deepEqual(calls, []);
    await clock.advance(1);
    assert.deepEqual(calls, ['all']);
    await end();
  });

  it('retries with backoff, which a success resets', async () => {
    let failing = true;
    const { calls, reconcile } = recorder(() => {
      if (failing) throw new Error('no wind');
      return Promise.resolve();
    });
    const { objects, clock, reports, end } = start(new Controller({ for: sails, reconcile }));
    objects.set(sails, sail('a'));
    await settle();
    for (const [made, delay] of [
      [1, 5],
      [2, 10],
      [3, 20],
    ] as const) {
      assert.equal(calls.length, made);
      assert.equal(clock.untilNext, delay);
      if (made === 3) failing = false;
      await clock.advance(delay);
    }
    assert.equal(calls.length, 4);
    assert.deepEqual(reports.map(String), [
      'ReconcileError: controller sail: the reconcile of sea/a failed once: no wind',
      'ReconcileError: controller sail: the reconcile of sea/a failed 2 times: no wind',
      'ReconcileError: controller sail: the reconcile of sea/a failed 3 times: no wind',
    ]);
    assert.equal(clock.waiting, 0);
    failing = true;
    objects.set(sails, sail('a', 'fore'));
    await settle();
    assert.equal(clock.untilNext, 5);
    const last = reports.at(-1);
    assert.ok(last instanceof ReconcileError && last.willRetry && last.failures === 1);
    await end();
  });

  it('does not retry a TerminalError until the next change', async () => {
    const { calls, reconcile } = recorder(async () => {
      throw new TerminalError('no such mast');
    });
    const { objects, clock, reports, end } = start(new Controller({ for: sails, reconcile }));
    objects.set(sails, sail('a'));
    await settle();
    assert.equal(clock.waiting, 0);
    assert.match(String(reports[0]), /failed and will not be retried: no such mast/);
    objects.set(sails, sail('a', 'fore'));
    await settle();
    assert.equal(calls.length, 2);
    await end();
  });

  it('survives any thrown value', async () => {
    const thrown: unknown[] = ['text', undefined, null, Object.create(null)];
    const { calls, reconcile } = recorder(() => {
      if (thrown.length > 0) throw thrown.shift();
      return Promise.resolve();
    });
    const { objects, clock, reports, end } = start(new Controller({ for: sails, reconcile }));
    objects.set(sails, sail('a'));
    await clock.advance(1000);
    assert.equal(calls.length, 5);
    assert.equal(reports.length, 4);
    await end();
  });

  it('rejects invalid delays', async () => {
    const delays = [Number.NaN, -1];
    const { calls, reconcile } = recorder(async () => {
      const requeueAfter = delays.shift();
      return requeueAfter === undefined ? undefined : { requeueAfter };
    });
    const { objects, clock, reports, end } = start(new Controller({ for: sails, reconcile }));
    objects.set(sails, sail('a'));
    await clock.advance(1000);
    assert.equal(calls.length, 3);
    assert.match(String(reports[0]), /requeueAfter must be a number of milliseconds, 0 or more, and is NaN/);
    assert.equal(reports.length, 2);
    await end();
  });

  it('requeues after its delay, over a day', async () => {
    const { calls, reconcile } = recorder(async () => ({ requeueAfter: 60_000 }));
    const { objects, clock, end } = start(new Controller({ for: sails, reconcile }));
    for (let index = 0; index < 3; index++) objects.set(sails, sail(`s${index}`));
    const before = clock.now();
    await clock.advance(24 * 3_600_000);
    assert.equal(clock.now() - before, 24 * 3_600_000);
    assert.equal(calls.length, 3 * (24 * 60 + 1));
    assert.equal(clock.waiting, 3);
    await end();
  });

  it('ends with its signal after running reconciles have ended', async () => {
    let finish: (() => void) | undefined;
    const signals: AbortSignal[] = [];
    const { calls, reconcile } = recorder((_, { signal }) => {
      signals.push(signal);
      return new Promise((resolve) => {
        finish = resolve;
      });
    });
    const { objects, stopController, ended, reports, end } = start(new Controller({ for: sails, reconcile }));
    for (const name of ['a', 'b']) objects.set(sails, sail(name));
    await settle();
    let hasEnded = false;
    const watched = ended.then(() => {
      hasEnded = true;
    });
    stopController.abort(new Error('enough'));
    objects.set(sails, sail('c'));
    await settle();
    assert.equal(hasEnded, false);
    assert.equal(signals[0]?.aborted, true);
    finish?.();
    await watched;
    assert.deepEqual(calls, ['sea/a']);
    await end();
    assert.deepEqual(reports, []);
  });

  it('does not report a reconcile that the signal ends', async () => {
    const { reconcile } = recorder((_, { signal }) => {
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    });
    const { objects, reports, end } = start(new Controller({ for: sails, reconcile }));
    objects.set(sails, sail('a'));
    await settle();
    await end();
    assert.deepEqual(reports, []);
  });

  it('aborts a reconcile at its timeout', async () => {
    const { calls, reconcile } = recorder((_, { signal }) => {
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    });
    const { objects, clock, reports, end } = start(new Controller({ for: sails, reconcile, timeout: 500 }));
    objects.set(sails, sail('a'));
    await clock.advance(499);
    assert.deepEqual(reports, []);
    await clock.advance(1);
    assert.match(String(reports[0]), /sea\/a failed once: .*500 ms/);
    await clock.advance(5);
    assert.equal(calls.length, 2);
    await end();
  });

  it('reads named kinds from the cache by name, namespace and index', async () => {
    const found: unknown[] = [];
    const { reconcile } = recorder(async (name, { lister, indexer }) => {
      found.push(lister(sails).namespace('sea').get(name)?.spec?.mast);
      found.push(indexer(sails).byIndex('mast', 'fore').length);
      found.push(lister(harbours).list().length);
    });
    const reads = [{ resource: sails, indexes: { mast: ({ spec }: Sail) => [spec?.mast] } }] as const;
    const { objects, reports, end } = start(new Controller({ for: sails, reads, reconcile }));
    objects.set(sails, sail('a', 'fore'));
    await settle();
    assert.deepEqual(found, ['fore', 1]);
    assert.match(String(reports[0]), /reads harbours from the cache without naming them in "reads"/);
    await end();
  });

  it('asks the predicate about every change', async () => {
    const changes: string[] = [];
    const { calls, reconcile } = recorder();
    const controller = new Controller({
      for: sails,
      predicate: (change) => {
        changes.push(`${change.type} ${change.object.spec?.mast}`);
        return change.type === 'update' && change.before.spec?.mast !== change.object.spec?.mast;
      },
      reconcile,
    });
    const { objects, end } = start(controller);
    await settle();
    for (const mast of ['fore', 'fore', 'main']) {
      objects.set(sails, sail('a', mast));
      await settle();
    }
    objects.delete(sails, sail('a').metadata);
    await settle();
    assert.deepEqual(changes, ['create fore', 'update fore', 'update main', 'delete main']);
    assert.deepEqual(calls, ['sea/a']);
    await end();
  });

  it('reconciles after enqueue, also when called later', async () => {
    let wake: (name: string) => void = () => undefined;
    const { calls, reconcile } = recorder(async (_, { enqueue }) => {
      wake = (name) => enqueue({ namespace: 'sea', name });
    });
    const { objects, end } = start(new Controller({ for: sails, reconcile }));
    objects.set(sails, sail('a'));
    await settle();
    wake('a');
    wake('b');
    await settle();
    assert.deepEqual(calls.splice(0), ['sea/a', 'sea/a', 'sea/b']);
    await end();
    wake('a');
    await settle();
    assert.deepEqual(calls, []);
  });

  it('records events with its name as their source', async () => {
    const recorded: string[] = [];
    const { reconcile } = recorder(async (name, { lister, recorder }) => {
      const object = lister(sails).namespace('sea').get(name);
      if (object !== undefined) recorder.event(object, 'Normal', 'Hoisted', 'up');
    });
    const objects = new FakeObjects([sails]);
    objects.set(sails, sail('a'));
    const controller = new Controller({ for: sails, reconcile });
    const silent = start(controller, objects);
    await settle();
    await silent.end();
    assert.deepEqual(silent.reports, []);
    const client = new DynamicClient(objects.transport);
    const clock = new VirtualClock();
    const informers = new SharedInformerFactory(client, { clock });
    const events = {
      recorder: ({ component }: { readonly component: string }) => ({
        event: (...[, type, reason, message]: Parameters<ReconcileContext['recorder']['event']>) => {
          recorded.push([component, type, reason, message].join(' '));
        },
      }),
    };
    const stop = new AbortController();
    const ended = controller.bind({ client, informers, clock, events }).run(stop.signal);
    informers.start(stop.signal);
    await settle();
    stop.abort();
    await ended;
    assert.deepEqual(recorded, ['sail Normal Hoisted up']);
  });

  it('can run again, and starts with all objects', async () => {
    const { calls, reconcile } = recorder();
    const { objects, runnable, stopController, ended, end } = start(new Controller({ for: sails, reconcile }));
    objects.set(sails, sail('a'));
    await settle();
    stopController.abort();
    await ended;
    objects.set(sails, sail('a', 'fore'));
    await settle();
    assert.deepEqual(calls.splice(0), ['sea/a']);
    const again = new AbortController();
    const running = runnable.run(again.signal);
    await settle();
    assert.deepEqual(calls, ['sea/a']);
    again.abort();
    await running;
    await end();
  });

  it('uses the given rate limiter', async () => {
    const { reconcile } = recorder(() => Promise.reject(new Error('no wind')));
    const rateLimiter = () => new ExponentialLimiter<string>({ initial: 77 });
    const { objects, clock, end } = start(new Controller({ for: sails, reconcile, rateLimiter }));
    objects.set(sails, sail('a'));
    await settle();
    assert.equal(clock.untilNext, 77);
    await end();
  });

  it('rejects inconsistent options', () => {
    const { reconcile } = recorder();
    assert.throws(() => new Controller({ reconcile }), /without "for" needs a name/);
    assert.throws(() => new Controller({ name: 'n', reconcile }), /needs "for" or "watches"/);
    assert.throws(() => new Controller({ name: 'n', owns: [sails], reconcile }), /needs "for"/);
    assert.throws(() => new Controller({ for: sails, concurrency: 0, reconcile }), /concurrency/);
    const twice = [{ resource: sails, map: () => [], select: { labelSelector: 'a' } }] as const;
    assert.throws(
      () => start(new Controller({ for: sails, watches: twice, reconcile })),
      /two different sets of sails/,
    );
  });
});
