import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { jsonFormat, Log } from '@binnacle/apimachinery/logging';
import { parseRequestInfo, RequestContext } from '../request/index.js';
import { FakeExchange } from '../testing/index.js';
import { requestLog } from './index.js';
import { describeSteps } from './request-log.js';

/** The lines for a request to this URL that takes that long. */
function linesOf(verbosity: number, url: string, milliseconds: number): readonly unknown[] {
  const clock = new VirtualClock();
  const lines: string[] = [];
  const log = new Log({ clock, format: jsonFormat, verbosity, write: (line) => lines.push(line) });
  const filter = requestLog(log, clock);
  const exchange = new FakeExchange({ url, headers: { 'user-agent': 'kubectl' } });
  const [path = '', query] = url.split('?');
  const context = new RequestContext(exchange, path, new URLSearchParams(query), clock.monotonic());
  context.info = parseRequestInfo('GET', path, context.query);
  context.auditId = 'id';
  context.user = { name: 'jane', uid: '', groups: [], extra: {} };
  context.flow = {
    flowSchema: 'service-accounts',
    priorityLevel: 'workload-low',
    initialSeats: 1,
    finalSeats: 2,
    additionalLatencyMs: 5,
    queuedMs: 3,
  };
  void filter.enter(context);
  clock.skip(milliseconds);
  context.trace?.ended('About to write a response');
  exchange.respond(200, {}, '');
  filter.leave?.(context);
  return lines.map((line) => JSON.parse(line) as unknown);
}

const LIST = '/api/v1/namespaces/default/pods?limit=5';

describe('requestLog', () => {
  it('writes a line for each request at a verbosity of 3', () => {
    const [line] = linesOf(3, LIST, 12);
    assert.deepEqual(line, {
      ts: 1_800_000_000_012,
      logger: 'requests',
      msg: 'HTTP',
      v: 3,
      verb: 'LIST',
      URI: LIST,
      latency: '12ms',
      userAgent: 'kubectl',
      'audit-ID': 'id',
      srcIP: '192.0.2.1',
      user: 'jane',
      apf_pl: 'workload-low',
      apf_fs: 'service-accounts',
      apf_iseats: 1,
      apf_fseats: 2,
      apf_additionalLatency: '5ms',
      resp: 200,
    });
    assert.deepEqual(linesOf(2, LIST, 12), []);
  });

  it('writes a trace of a slow request at a verbosity of 2, but none of a watch', () => {
    assert.deepEqual(linesOf(1, LIST, 700), []);
    assert.deepEqual(linesOf(2, LIST, 499), []);
    assert.deepEqual(linesOf(2, `${LIST}&watch=1`, 60_000), []);
    const [line] = linesOf(2, LIST, 700);
    assert.deepEqual(line, {
      ts: 1_800_000_000_700,
      logger: 'requests',
      msg: 'Trace',
      v: 2,
      verb: 'LIST',
      URI: LIST,
      'audit-ID': 'id',
      user: 'jane',
      resp: 200,
      totalTime: '700ms',
      steps: 'About to write a response 700ms, END 0ms',
    });
  });

  it('says how long each step took', () => {
    const steps = [
      { name: 'Conversion done', at: 103 },
      { name: 'Write to database call succeeded', at: 500 },
    ];
    assert.equal(
      describeSteps(steps, 100, 501),
      'Conversion done 3ms, Write to database call succeeded 397ms, END 1ms',
    );
  });
});
