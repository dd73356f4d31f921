/**
 * CPU of priority and fairness for a request that need not wait, in microseconds: its classification, seats and metrics, at its start and at
 * its end.
 */
import { parseArgs } from 'node:util';
import { systemClock } from '@binnacle/apimachinery/clock';
import { MetricRegistry } from '@binnacle/apimachinery/metrics';
import { suggestedLevels, suggestedSchemas } from '../../packages/apiserver/dist/flowcontrol/bootstrap-objects.js';
import { FlowControl, priorityAndFairness } from '../../packages/apiserver/dist/flowcontrol/index.js';
import { flowObservers } from '../../packages/apiserver/dist/metrics/index.js';
import { parseRequestInfo, RequestContext } from '../../packages/apiserver/dist/request/index.js';
import { FakeExchange } from '../../packages/apiserver/dist/testing/index.js';
import { print, toDigits } from '../support/figures.mjs';

const { values: options } = parseArgs({ options: { requests: { type: 'string', default: '200000' } } });
const requests = Number(options.requests);
const PODS = '/api/v1/namespaces/n/pods';
const KEPT = 1000;

const control = new FlowControl({
  clock: systemClock,
  seats: 600,
  configuration: { changes: 0, schemas: () => suggestedSchemas, levels: () => suggestedLevels },
  observe: flowObservers(new MetricRegistry()),
});
const size = () => ({ objects: 100, objectBytes: 1000 });
const { filter } = priorityAndFairness({
  control,
  clock: systemClock,
  size,
  onQueued: () => undefined,
  onRefused: () => undefined,
});

for (const [name, ...groups] of [
  ['admin', 'system:masters'],
  ['jane'],
  ['system:serviceaccount:n:x', 'system:serviceaccounts'],
]) {
  const user = { name, uid: '', groups: [...groups, 'system:authenticated'], extra: {} };
  for (const [method, path] of [
    ['GET', `${PODS}/p`],
    ['GET', PODS],
    ['PUT', `${PODS}/p`],
  ]) {
    const contexts = Array.from({ length: KEPT }, () => contextOf(method, path, user));
    pass(contexts, requests / 4);
    const start = process.cpuUsage();
    pass(contexts, requests);
    const { user: inUser, system } = process.cpuUsage(start);
    print({ user: name, request: `${method} ${path}`, cpuMicroseconds: toDigits((inUser + system) / requests, 2) });
  }
}
control[Symbol.dispose]();

function contextOf(method, path, user) {
  const context = new RequestContext(new FakeExchange({ method, url: path }), path, new URLSearchParams(), 0);
  context.info = parseRequestInfo(method, path, new URLSearchParams());
  context.user = user;
  return context;
}

function pass(contexts, count) {
  for (let index = 0; index < count; index++) {
    const context = contexts[index % KEPT];
    void filter.enter(context);
    filter.leave(context);
  }
}
