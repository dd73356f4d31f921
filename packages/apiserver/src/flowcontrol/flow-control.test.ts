import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import type { UserInfo } from '../authentication/index.js';
import type { Ticket } from '../fairqueuing/index.js';
import { parseRequestInfo } from '../request/index.js';
import type { FlowControl } from './flow-control.js';
import { level, schema, TestConfiguration, testFlowControl } from './flow-control.testing.js';

const userOf = (name: string, ...groups: string[]): UserInfo => ({
  name,
  uid: '',
  groups: [...groups, 'system:authenticated'],
  extra: {},
});
const requestOf = (method: string, path: string) => parseRequestInfo(method, path, new URLSearchParams());

const PODS = '/api/v1/namespaces/n/pods';
const SEAT = { seats: 1, finalSeats: 0, finalMs: 0 };

const namesOf = (control: FlowControl, user: UserInfo, method: string, path: string): string => {
  const { name, level: found } = control.classify(user, requestOf(method, path));
  return `${name} ${found.name}`;
};

function arrive(control: FlowControl, user: UserInfo, work = SEAT) {
  const classification = control.classify(user, requestOf('GET', PODS));
  const ticket = control.arrive(classification, user.name, work);
  if (typeof ticket === 'string') assert.fail(ticket);
  return { classification, ticket };
}

describe('FlowControl.classify', () => {
  const cases: readonly (readonly [UserInfo, string, string, string])[] = [
    [userOf('admin', 'system:masters'), 'GET', PODS, 'exempt exempt'],
    [userOf('jane'), 'GET', '/readyz', 'probes exempt'],
    [userOf('jane'), 'GET', '/readyz/etcd', 'probes exempt'],
    [userOf('jane'), 'POST', '/readyz', 'global-default global-default'],
    [userOf('system:node:n', 'system:nodes'), 'GET', '/api/v1/nodes/n', 'system-node-high node-high'],
    [userOf('system:node:n', 'system:nodes'), 'GET', PODS, 'system-nodes system'],
    [userOf('system:kube-scheduler'), 'GET', PODS, 'kube-scheduler workload-high'],
    [
      userOf('system:kube-scheduler'),
      'GET',
      '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/x',
      'system-leader-election leader-election',
    ],
    [
      userOf('system:serviceaccount:kube-system:job-controller', 'system:serviceaccounts'),
      'GET',
      PODS,
      'kube-system-service-accounts workload-high',
    ],
    [userOf('system:serviceaccount:n:x', 'system:serviceaccounts'), 'GET', PODS, 'service-accounts workload-low'],
    [userOf('jane'), 'GET', PODS, 'global-default global-default'],
    [{ name: 'odd', uid: '', groups: [], extra: {} }, 'GET', PODS, 'catch-all catch-all'],
  ];
  for (const [user, method, path, names] of cases) {
    it(`${method} ${path} of ${user.name}: ${names}`, () => {
      const { control } = testFlowControl(new VirtualClock(), new TestConfiguration());
      assert.equal(namesOf(control, user, method, path), names);
    });
  }

  it('tries schemas by precedence and then by name, and leaves out those without a level', () => {
    const configuration = new TestConfiguration();
    const levels = ['a', 'b', 'c'].map((name) => level(name, 10));
    const schemas = [
      schema('later', 'c', 300, 'g'),
      schema('b', 'b', 200, 'g'),
      schema('a', 'a', 200, 'g'),
      schema('dangling', 'absent', 100, 'g'),
    ];
    configuration.set(schemas, levels);
    const { control } = testFlowControl(new VirtualClock(), configuration);
    const user = userOf('u', 'g');
    assert.equal(namesOf(control, user, 'GET', PODS), 'a a');
    configuration.set(schemas.slice(0, 2), levels);
    assert.equal(namesOf(control, user, 'GET', PODS), 'b b');
    configuration.set([], levels);
    assert.equal(namesOf(control, user, 'GET', PODS), 'catch-all catch-all');
  });

  it('ignores levels that are malformed', () => {
    const configuration = new TestConfiguration();
    const broken = [
      { ...level('a', 10), spec: { type: 'Limited' } },
      level('b', 10, 2),
      { metadata: { name: 'c' }, spec: { type: 'Exempt', exempt: {} } },
      { metadata: { name: 'exempt' }, spec: { type: 'Limited' } },
      { metadata: {} },
    ];
    const [, b] = broken;
    const queuing = { queues: 2, handSize: 9, queueLengthLimit: 1 };
    const wide = { ...b, spec: { type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing } } } };
    configuration.set([], [...broken.filter((each) => each !== b), wide]);
    const { control } = testFlowControl(new VirtualClock(), configuration);
    assert.deepEqual([...control.levels.keys()].sort(), ['catch-all', 'exempt']);
  });
});

describe('FlowControl', () => {
  const jane = userOf('jane', 'g');

  function setUp(queues: number, queueLength = 1) {
    const clock = new VirtualClock();
    const configuration = new TestConfiguration();
    configuration.set([schema('s', 'l', 100, 'g')], [level('l', 5, queues, queueLength)]);
    // Half of the seats are for the catch-all level.
    const { control, told } = testFlowControl(clock, configuration, 4);
    return { clock, configuration, control, told };
  }

  it('lets requests wait for the seats of their level, and refuses them when its queues are full', () => {
    const { control, told } = setUp(4);
    const first = arrive(control, jane);
    arrive(control, jane);
    const third = arrive(control, jane);
    assert.equal(third.ticket.state, 'waiting');
    assert.equal(control.arrive(third.classification, 'jane', SEAT), 'queue-full');
    assert.equal(told.at(-1), 'l s refused queue-full');
    control.finish(first.classification, first.ticket);
    assert.equal(third.ticket.state, 'executing');
  });

  it('refuses at once in a level without queues', () => {
    const { control } = setUp(0);
    const { classification } = arrive(control, jane);
    arrive(control, jane);
    assert.equal(control.arrive(classification, 'jane', SEAT), 'concurrency-limit');
  });

  it('cancels a waiting request', () => {
    const { control, told } = setUp(4);
    arrive(control, jane);
    arrive(control, jane);
    const { classification, ticket } = arrive(control, jane);
    control.cancel(classification, ticket);
    assert.equal(ticket.state, 'over');
    assert.equal(told.at(-1), 'l s refused time-out');
  });

  it('drains a level that is gone, and then forgets it', () => {
    const { control, configuration } = setUp(4);
    const running = [arrive(control, jane), arrive(control, jane)];
    const waiting = arrive(control, jane);
    configuration.set([], []);
    assert.equal(namesOf(control, jane, 'GET', PODS), 'catch-all catch-all');
    assert.equal(control.levels.get('l')?.isQuiescing, true);
    for (const { classification, ticket } of [...running, waiting]) control.finish(classification, ticket);
    namesOf(control, jane, 'GET', PODS);
    assert.deepEqual([...control.levels.keys()].sort(), ['catch-all', 'exempt']);
  });

  it('keeps requests when a level comes back or changes', () => {
    const { control, configuration } = setUp(4, 9);
    const first = [arrive(control, jane), arrive(control, jane)];
    configuration.set([], []);
    namesOf(control, jane, 'GET', PODS);
    configuration.set([schema('s', 'l', 100, 'g')], [level('l', 15, 2, 9)]);
    const third = arrive(control, jane);
    const { limits, isQuiescing } = third.classification.level;
    assert.deepEqual([limits.nominal, isQuiescing, third.ticket.state], [3, false, 'executing']);
    for (const { classification, ticket } of [...first, third]) control.finish(classification, ticket);
    assert.ok(third.classification.level.queues.isIdle);
  });

  it('lends the seats of idle levels to a busy one every ten seconds, and takes them back', async () => {
    const clock = new VirtualClock();
    const configuration = new TestConfiguration();
    const { control } = testFlowControl(clock, configuration, 600);
    const seats = (name: string): number => control.levels.get(name)?.queues.limit ?? 0;
    const before = seats('global-default');
    const running = Array.from({ length: 300 }, () => arrive(control, userOf('jane'), SEAT));
    await clock.advance(10_000);
    const after = seats('global-default');
    assert.ok(after > 2 * before, `${after} after ${before}`);
    const total = [...control.levels.values()].reduce((sum, { queues }) => sum + queues.limit, 0);
    assert.ok(Math.abs(total - 602) < 8, String(total));
    for (const { classification, ticket } of running) control.finish(classification, ticket);
    for (const { classification, ticket } of running) control.finish(classification, ticket);
    await clock.advance(3_600_000);
    assert.equal(clock.waiting, 0, 'an idle server sets no timer');
    arrive(control, userOf('jane'));
    assert.ok(seats('global-default') < after);
  });

  it('stops its timer', async () => {
    const { control, clock } = setUp(4);
    arrive(control, jane);
    assert.equal(clock.waiting, 1);
    control[Symbol.dispose]();
    assert.equal(clock.waiting, 0);
  });

  it('lets users of one level choose different queues', () => {
    const { control } = setUp(64, 9);
    const queues = new Set<number | undefined>();
    const tickets: Ticket[] = [];
    for (let index = 0; index < 40; index++) {
      const { ticket } = arrive(control, userOf(`user-${index}`, 'g'));
      tickets.push(ticket);
      queues.add(ticket.queue?.index);
    }
    assert.ok(queues.size > 20, String(queues.size));
    const again = arrive(control, userOf('user-0', 'g'));
    assert.equal(again.ticket.queue?.index, tickets[0]?.queue?.index);
  });
});
