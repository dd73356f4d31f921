import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { MetricRegistry } from '@binnacle/apimachinery/metrics';
import { forbidden } from '@binnacle/apimachinery/status';
import { auditMetrics } from '../metrics/index.js';
import { parseRequestInfo, parseTarget, RequestContext } from '../request/index.js';
import { FakeExchange } from '../testing/index.js';
import { auditFilters } from './audit-filters.js';
import type { AuditEvent } from './event.js';
import type { AuditLevel, AuditPolicy, AuditStage } from './policy.js';

function audited(policy: AuditPolicy, url: string, { isStored = true } = {}) {
  const clock = new VirtualClock();
  const events: AuditEvent[] = [];
  const sink = {
    take: (event: AuditEvent) => {
      events.push(event);
      return Promise.resolve(isStored);
    },
    backlog: () => undefined,
    close: () => Promise.resolve(),
  };
  const exchange = new FakeExchange({ url, headers: { 'user-agent': 'test' } });
  const { path, query } = parseTarget(url);
  const context = new RequestContext(exchange, path, query, clock.monotonic());
  context.info = parseRequestInfo('GET', path, query);
  context.user = { name: 'jane', uid: '', groups: ['dev'], extra: {} };
  context.auditId = 'id';
  const metrics = auditMetrics(new MetricRegistry());
  return { clock, events, exchange, context, metrics, ...auditFilters({ policy, sink, metrics }, clock) };
}

const everything = (level: AuditLevel, omitStages: readonly AuditStage[] = []): AuditPolicy => ({
  omitStages,
  rules: [{ level }],
});
const stagesOf = (events: readonly AuditEvent[]) => events.map(({ fields }) => fields.stage);

describe('auditFilters', () => {
  it('records the arrival and the end of a request', async () => {
    const { clock, events, exchange, context, requests } = audited(
      everything('Metadata'),
      '/api/v1/namespaces/shop/pods/web',
    );
    await clock.advance(5);
    await requests.enter(context);
    assert.deepEqual(stagesOf(events), ['RequestReceived']);
    await clock.advance(20);
    exchange.respond(200, {}, '{}');
    requests.leave?.(context);
    assert.deepEqual(stagesOf(events), ['RequestReceived', 'ResponseComplete']);
    const [received, complete] = events.map(({ fields }) => fields);
    assert.equal(received?.stageAt, received?.receivedAt);
    assert.equal((complete?.stageAt ?? 0) - (complete?.receivedAt ?? 0), 25);
    assert.deepEqual(complete?.responseStatus, { code: 200 });
    assert.equal(complete?.objectRef?.name, 'web');
  });

  it('records nothing at level None, and omits stages', async () => {
    const none = audited(everything('None'), '/version');
    await none.requests.enter(none.context);
    none.requests.leave?.(none.context);
    assert.equal(none.context.audit, undefined);
    assert.deepEqual(none.events, []);
    const omitted = audited(everything('Metadata', ['RequestReceived', 'ResponseComplete']), '/version');
    await omitted.requests.enter(omitted.context);
    omitted.requests.leave?.(omitted.context);
    assert.deepEqual(omitted.events, []);
  });

  it('records when a watch is answered', async () => {
    const { events, exchange, context, requests } = audited(everything('Metadata'), '/api/v1/pods?watch=true');
    await requests.enter(context);
    exchange.respondStream(200, {});
    assert.deepEqual(stagesOf(events), ['RequestReceived', 'ResponseStarted']);
    requests.leave?.(context);
    assert.equal(events.at(-1)?.fields.stage, 'ResponseComplete');
  });

  it('says that the client has left before an answer', async () => {
    const { events, context, requests } = audited(everything('Metadata'), '/version');
    await requests.enter(context);
    requests.leave?.(context);
    assert.equal(events.at(-1)?.fields.responseStatus?.message, 'Connection closed early');
  });

  it('refuses a request whose arrival cannot be stored', async () => {
    const { context, metrics, requests } = audited(everything('Metadata'), '/version', { isStored: false });
    await assert.rejects(async () => requests.enter(context), /Internal error occurred: failed to store audit event/);
    assert.equal(metrics.rejected.value, 1);
  });

  it('records what handlers report, as far as the level allows', async () => {
    for (const [level, recordsRequest, recordsResponse] of [
      ['Metadata', false, false],
      ['Request', true, false],
      ['RequestResponse', true, true],
    ] as const) {
      const { events, context, requests } = audited(
        everything(level, ['RequestReceived']),
        '/api/v1/namespaces/shop/pods',
      );
      await requests.enter(context);
      const { audit } = context;
      assert.equal(audit?.recordsRequest, recordsRequest);
      assert.equal(audit?.recordsResponse, recordsResponse);
      audit?.requestMetadata({ name: 'web', namespace: 'other', uid: 'u' });
      audit?.impersonated({ name: 'joe', uid: '', groups: [], extra: {} }, 'impersonate:user-info');
      audit?.responseStatus(forbidden({ group: '', resource: 'pods' }, 'web', 'no').status);
      context.annotate('plain', '1');
      context.annotate('detailed', '2', 'Request');
      requests.leave?.(context);
      const fields = events[0]?.fields;
      assert.equal(fields?.objectRef?.name, 'web');
      assert.equal(fields?.objectRef?.namespace, 'shop');
      assert.equal(fields?.user.username, 'jane');
      assert.equal(fields?.impersonatedUser?.username, 'joe');
      assert.equal(fields?.responseStatus?.reason, 'Forbidden');
      const shown = recordsRequest ? '{"detailed":"2","plain":"1"}' : '{"plain":"1"}';
      assert.ok(events[0]?.json.endsWith(`"annotations":${shown}}`));
    }
  });

  it('shows handlers whether managed fields are left out', async () => {
    for (const omitManagedFields of [false, true]) {
      const { context, requests } = audited({ omitManagedFields, rules: [{ level: 'Request' }] }, '/api/v1/pods');
      await requests.enter(context);
      assert.equal(context.audit?.omitsManagedFields, omitManagedFields);
    }
  });

  it('notes that an answer is too large to be recorded', async () => {
    const { events, context, requests } = audited(everything('RequestResponse', ['RequestReceived']), '/api/v1/pods');
    await requests.enter(context);
    context.audit?.responseObject(undefined);
    requests.leave?.(context);
    assert.equal(events[0]?.fields.annotations.get('audit.k8s.io/truncated')?.value, 'true');
  });

  it('does not take the 401 of a backend for a failed authentication', async () => {
    const policy: AuditPolicy = { rules: [{ level: 'None', users: ['jane'] }, { level: 'Metadata' }] };
    const { events, exchange, context, requests, failedAuthentication } = audited(policy, '/apis/a/v1/b');
    await requests.enter(context);
    exchange.respond(401, {}, '');
    failedAuthentication.leave?.(context);
    assert.deepEqual(events, []);
  });

  it('have memory for 64 MiB of answers, until their requests have ended', async () => {
    const { context, requests } = audited(everything('RequestResponse', ['RequestReceived']), '/api/v1/pods');
    const other = new RequestContext(new FakeExchange({}), '/api/v1/pods', new URLSearchParams(), 0);
    await requests.enter(context);
    await requests.enter(other);
    const mebibytes = (count: number) => count * 1024 * 1024;
    assert.equal(context.audit?.admitsAnswer(mebibytes(60)), true);
    assert.equal(other.audit?.admitsAnswer(mebibytes(5)), false);
    requests.leave?.(context);
    assert.equal(other.audit?.admitsAnswer(mebibytes(5)), true);
  });

  it('records a failed authentication without a user', () => {
    const { events, exchange, context, failedAuthentication } = audited(everything('Metadata'), '/api/v1/pods');
    exchange.respond(401, {}, '');
    failedAuthentication.leave?.(context);
    assert.deepEqual(stagesOf(events), ['ResponseStarted']);
    assert.equal(events[0]?.fields.user.username, '');
    assert.equal(events[0]?.fields.responseStatus?.code, 401);
  });
});
