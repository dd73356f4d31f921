import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseMicroTime } from '@binnacle/apimachinery/time';
import { abortable, sleep, randomOf } from '@binnacle/apimachinery/clock';
import { DynamicClient } from '../dynamic/index.js';
import { EventBroadcaster } from '../events/index.js';
import type { LeaseSpec } from '../kinds/generated/coordination/v1.js';
import {
  FakeStore,
  VirtualClock,
  RecordedEvents,
  type ScriptedAnswer,
  ScriptedTransport,
  settle,
} from '../testing/index.js';
import { ConnectionError, type TransportRequest } from '../transport/index.js';
import { type LeaderElectionOptions, LeaderElector, LeadershipLostError } from './index.js';

const LEASE = '/apis/coordination.k8s.io/v1/namespaces/shop/leases/controller';
const idle = (signal: AbortSignal) => sleep(new VirtualClock(), 1, signal);

const unreachable = new ConnectionError('connecting', 'down');

/** A server of leases and candidates for one of them. */
function setUp() {
  const clock = new VirtualClock();
  const server = new FakeStore();
  const state: { answer: (request: TransportRequest) => ScriptedAnswer | Promise<ScriptedAnswer> } = {
    answer: (request) => server.answer(request),
  };
  /** Candidates that cannot reach the server. */
  const cutOff = new Set<string>();
  const methods: string[] = [];
  const errors: unknown[] = [];
  const candidate = (identity: string, options: Partial<LeaderElectionOptions> = {}) => {
    const transport = new ScriptedTransport((request) => {
      methods.push(request.method);
      return cutOff.has(identity) ? unreachable : state.answer(request);
    });
    return new LeaderElector(new DynamicClient(transport), {
      namespace: 'shop',
      name: 'controller',
      identity,
      clock,
      random: randomOf(() => 0.5),
      onError: (error) => errors.push(error),
      ...options,
    });
  };
  const spec = () => server.get(LEASE)?.['spec'] as LeaseSpec | undefined;
  return { clock, server, state, cutOff, methods, errors, candidate, spec };
}

describe('leader elector', () => {
  it('creates the lease and renews it', async () => {
    const { clock, methods, candidate, spec } = setUp();
    const stop = new AbortController();
    const elector = candidate('a');
    const running = elector.run(idle, stop.signal);
    await clock.advance(0);
    assert.equal(elector.isLeader, true);
    const acquired = spec();
    assert.deepEqual(acquired, {
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      acquireTime: '2027-01-15T08:00:00.000000Z',
      renewTime: '2027-01-15T08:00:00.000000Z',
      leaseTransitions: 0,
    });
    await clock.advance(4000);
    assert.deepEqual(spec(), { ...acquired, renewTime: '2027-01-15T08:00:04.000000Z' });
    assert.deepEqual(methods, ['GET', 'POST', 'PUT', 'PUT']);
    stop.abort();
    await running;
    assert.equal(clock.waiting, 0);
  });

  it('takes the lease once it has not changed for its duration', async () => {
    const { clock, cutOff, candidate, spec } = setUp();
    const stop = new AbortController();
    const first = candidate('a').run(idle, stop.signal);
    await clock.advance(0);
    const seen: string[] = [];
    const second = candidate('b', { onNewLeader: (identity) => seen.push(identity) });
    const running = second.run(idle, stop.signal);
    await clock.advance(60_000);
    assert.equal(second.isLeader, false);
    assert.equal(second.leader, 'a');
    cutOff.add('a');
    const lost = assert.rejects(first, LeadershipLostError);
    const last = parseMicroTime(spec()?.renewTime ?? '');
    await clock.advance(14_000);
    await lost;
    assert.equal(second.isLeader, false);
    await clock.advance(6_000);
    assert.equal(second.isLeader, true);
    assert.deepEqual(seen, ['a', 'b']);
    const { acquireTime = '', leaseTransitions } = spec() ?? {};
    assert.equal(leaseTransitions, 1);
    assert.ok(parseMicroTime(acquireTime) >= last + 15_000);
    stop.abort();
    await running;
  });

  it('ignores times that others have written', async () => {
    const { clock, server, candidate } = setUp();
    const [renewTime, acquireTime] = ['2001-01-01T00:00:00.000000Z', '2001-01-01T00:00:00.000000Z'];
    const spec = { holderIdentity: 'old', leaseDurationSeconds: 30, renewTime, acquireTime, leaseTransitions: 4 };
    server.answer({
      method: 'POST',
      path: LEASE.replace('/controller', ''),
      body: JSON.stringify({ metadata: { name: 'controller' }, spec }),
    });
    const stop = new AbortController();
    const elector = candidate('a');
    const running = elector.run(idle, stop.signal);
    await clock.advance(29_000);
    assert.equal(elector.isLeader, false, 'the lease was seen 29 s ago, whatever it says');
    await clock.advance(6_000);
    assert.equal(elector.isLeader, true);
    stop.abort();
    await running;
  });

  it('renews the lease until the work has ended, then releases it', async () => {
    const { clock, candidate, spec } = setUp();
    const stop = new AbortController();
    let isAborted = false;
    const running = candidate('a').run(async (signal) => {
      await idle(signal).catch(() => undefined);
      isAborted = true;
      await sleep(clock, 30_000);
    }, stop.signal);
    const second = candidate('b');
    const other = second.run(idle, stop.signal);
    await clock.advance(1000);
    const next = new AbortController();
    stop.abort();
    await other;
    const third = candidate('c');
    const waiting = third.run(idle, next.signal);
    await clock.advance(29_999);
    assert.equal(isAborted, true);
    assert.equal(spec()?.holderIdentity, 'a');
    await clock.advance(1);
    await running;
    const { holderIdentity, leaseDurationSeconds, leaseTransitions } = spec() ?? {};
    assert.deepEqual([holderIdentity, leaseDurationSeconds, leaseTransitions], ['', 1, 0]);
    await clock.advance(4400);
    assert.equal(third.isLeader, true);
    assert.equal(spec()?.leaseTransitions, 1);
    next.abort();
    await waiting;
  });

  it('keeps the lease with releaseOnStop: false', async () => {
    const { clock, candidate, spec } = setUp();
    const stop = new AbortController();
    const running = candidate('a', { releaseOnStop: false }).run(idle, stop.signal);
    await clock.advance(0);
    stop.abort();
    await running;
    assert.equal(spec()?.holderIdentity, 'a');
  });

  it('loses leadership in a long outage and keeps it in a short one', async () => {
    const { clock, cutOff, errors, candidate } = setUp();
    const elector = candidate('a');
    let reason: unknown;
    const running = elector.run(async (signal) => {
      await idle(signal).catch(() => undefined);
      reason = signal.reason;
    }, new AbortController().signal);
    const message = 'leadership lost: not renewed within 10000 ms';
    const failed = assert.rejects(running, { name: 'LeadershipLostError', message });
    await clock.advance(0);
    cutOff.add('a');
    await clock.advance(7000);
    cutOff.delete('a');
    await clock.advance(1000);
    assert.equal(elector.isLeader, true);
    cutOff.add('a');
    await clock.advance(9999);
    assert.equal(elector.isLeader, true);
    await clock.advance(1);
    assert.equal(elector.isLeader, false);
    assert.ok(reason instanceof LeadershipLostError);
    await failed;
    assert.ok(errors.includes(unreachable));
  });

  it('counts its term from the sending of the last renewal', async () => {
    const { clock, state, cutOff, candidate } = setUp();
    const elector = candidate('a');
    const failed = assert.rejects(elector.run(idle, new AbortController().signal), LeadershipLostError);
    await clock.advance(1999);
    const { answer } = state;
    state.answer = async (request) => {
      const answered = answer(request);
      await sleep(clock, 4000);
      return answered;
    };
    await clock.advance(1);
    cutOff.add('a');
    await clock.advance(9999);
    assert.equal(elector.isLeader, true);
    await clock.advance(1);
    assert.equal(elector.isLeader, false);
    await failed;
  });

  it('keeps leadership when one request hangs', async () => {
    const { clock, server } = setUp();
    let isHanging = false;
    const transport = new ScriptedTransport((request, { signal }) => {
      if (!isHanging) return server.answer(request);
      isHanging = false;
      return abortable(new Promise<never>(() => undefined), signal);
    });
    const options = { namespace: 'shop', name: 'controller', clock, onError: () => undefined };
    const elector = new LeaderElector(new DynamicClient(transport), options);
    const stop = new AbortController();
    const running = elector.run(idle, stop.signal);
    await clock.advance(0);
    for (let hung = 0; hung < 5; hung++) {
      isHanging = true;
      await clock.advance(20_000);
      assert.equal(isHanging, false);
      assert.equal(elector.isLeader, true);
    }
    stop.abort();
    await running;
  });

  it('stops at once when another candidate holds the lease', async () => {
    const { clock, server, candidate, spec } = setUp();
    const elector = candidate('a');
    const running = elector.run(idle, new AbortController().signal);
    await clock.advance(0);
    const body = JSON.stringify({ metadata: { name: 'controller' }, spec: { ...spec(), holderIdentity: 'thief' } });
    server.answer({ method: 'PUT', path: LEASE, body });
    const failed = assert.rejects(running, /leadership lost: thief holds the lease shop\/controller/);
    await clock.advance(2000);
    await failed;
    assert.equal(elector.isLeader, false);
    assert.equal(spec()?.holderIdentity, 'thief');
  });

  it('can run again after a loss, and waits for the new leader', async () => {
    const { clock, server, candidate } = setUp();
    const stop = new AbortController();
    const elector = candidate('a');
    const first = assert.rejects(elector.run(idle, stop.signal), LeadershipLostError);
    await clock.advance(0);
    const lease = server.get(LEASE);
    const spec = { ...(lease?.['spec'] as LeaseSpec), holderIdentity: 'b' };
    server.answer({ method: 'PUT', path: LEASE, body: JSON.stringify({ ...lease, spec }) });
    await clock.advance(3000);
    await first;
    const second = elector.run(idle, stop.signal);
    await clock.advance(14_000);
    assert.equal(elector.isLeader, false);
    await clock.advance(6000);
    assert.equal(elector.isLeader, true);
    stop.abort();
    await second;
    assert.equal(clock.waiting, 0);
  });

  it('re-creates a deleted lease, and continues after a write with unknown outcome', async () => {
    const { clock, server, state, candidate, spec } = setUp();
    const stop = new AbortController();
    const elector = candidate('a');
    const running = elector.run(idle, stop.signal);
    await clock.advance(0);
    server.delete(LEASE);
    await clock.advance(2000);
    assert.equal(spec()?.holderIdentity, 'a');
    const { answer } = state;
    state.answer = (request) => {
      void answer(request);
      state.answer = answer;
      return unreachable;
    };
    await clock.advance(6000);
    assert.equal(elector.isLeader, true);
    assert.equal(spec()?.renewTime, '2027-01-15T08:00:08.000000Z');
    stop.abort();
    await running;
  });

  it('settles like its work', async () => {
    const { clock, candidate, spec } = setUp();
    await candidate('a').run(() => Promise.resolve(), new AbortController().signal);
    assert.equal(spec()?.holderIdentity, '');
    const failing = candidate('b').run(() => Promise.reject(new Error('broken work')), new AbortController().signal);
    await assert.rejects(failing, /broken work/);
    assert.equal(spec()?.holderIdentity, '');
    assert.equal(clock.waiting, 0);
  });

  it('does not start the work if its signal fires first', async () => {
    const { clock, candidate, server } = setUp();
    const never = () => assert.fail('the work has begun');
    await candidate('a').run(never, AbortSignal.abort());
    assert.deepEqual(server.all, []);
    const stop = new AbortController();
    const running = candidate('a').run(never, stop.signal);
    stop.abort();
    await clock.advance(0);
    await running;
    assert.equal(clock.waiting, 0);
  });

  it('records leadership events', async () => {
    const { clock, candidate } = setUp();
    const recorded = new RecordedEvents();
    const broadcaster = new EventBroadcaster([recorded], { clock });
    const stop = new AbortController();
    const running = candidate('a', { recorder: broadcaster.recorder({ component: 'c' }) }).run(idle, stop.signal);
    await clock.advance(0);
    stop.abort();
    await running;
    await settle();
    assert.deepEqual(recorded.lines, [
      'Normal LeaderElection Lease shop/controller: a became leader',
      'Normal LeaderElection Lease shop/controller: a stopped leading',
    ]);
  });

  it('rejects inconsistent durations and an empty identity', () => {
    const { candidate } = setUp();
    const wrong: readonly [Partial<LeaderElectionOptions>, RegExp][] = [
      [{ leaseDuration: 10_000 }, /must be longer than renewDeadline/],
      [{ leaseDuration: 15_500 }, /whole seconds/],
      [{ leaseDuration: 0, renewDeadline: -1 }, /whole seconds/],
      [{ renewDeadline: 2400 }, /1.2 times retryPeriod/],
      [{ retryPeriod: 0 }, /above 0/],
      [{ identity: '' }, /identity is empty/],
    ];
    for (const [options, message] of wrong) assert.throws(() => candidate('a', options), message);
    const client = new DynamicClient(new ScriptedTransport(() => assert.fail('nothing is sent')));
    const options = { namespace: 'shop', name: 'controller' };
    assert.notEqual(new LeaderElector(client, options).identity, new LeaderElector(client, options).identity);
  });
});
