import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { seededRandom, VirtualClock } from '../clock/index.js';
import type { EndedSpan } from './span.js';
import { readTraceContext } from './trace-context.js';
import { isSampled, Tracer } from './tracer.js';

const remote = {
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  spanId: '00f067aa0ba902b7',
  isSampled: true,
  state: 'a=b',
};

function tracerOf(samplingRatePerMillion: number) {
  const clock = new VirtualClock();
  const ended: EndedSpan[] = [];
  const tracer = new Tracer({
    clock,
    random: seededRandom(1),
    samplingRatePerMillion,
    exportSpan: (span) => void ended.push(span),
  });
  return { clock, ended, tracer };
}

describe('Tracer', () => {
  it('continues a sampled trace, and ends its spans with their times, attributes and events', async () => {
    const { clock, ended, tracer } = tracerOf(0);
    const at = clock.monotonic();
    const begin = clock.now();
    const root = tracer.begin('GET /a', 'server', { remote, continues: true, at });
    await clock.advance(5);
    const child = root?.begin('List', { verb: 'LIST' });
    child?.addEvent('Done', clock.monotonic());
    await clock.advance(10);
    child?.end();
    child?.end();
    root?.set({ status: 200 });
    root?.end();
    const [inner, outer] = ended;
    assert.equal(ended.length, 2);
    assert.equal(outer?.context.traceId, remote.traceId);
    assert.equal(outer.context.state, 'a=b');
    assert.deepEqual([outer.parentSpanId, outer.isParentRemote, outer.kind], [remote.spanId, true, 'server']);
    assert.deepEqual([outer.start, outer.end, outer.attributes], [begin, begin + 15, { status: 200 }]);
    assert.deepEqual([inner?.parentSpanId, inner?.isParentRemote], [outer.context.spanId, false]);
    assert.deepEqual([inner?.start, inner?.end, inner?.kind], [begin + 5, begin + 15, 'internal']);
    assert.deepEqual([inner?.attributes, inner?.events], [{ verb: 'LIST' }, [{ name: 'Done', at: begin + 5 }]]);
    assert.deepEqual(child?.headers, {
      traceparent: `00-${remote.traceId}-${inner?.context.spanId}-01`,
      tracestate: 'a=b',
    });
  });

  it('begins a trace of its own for a caller that it does not follow, and names the other', () => {
    const { ended, tracer } = tracerOf(1_000_000);
    tracer.begin('GET', 'server', { remote, continues: false, at: 0 })?.end();
    assert.notEqual(ended[0]?.context.traceId, remote.traceId);
    assert.deepEqual([ended[0]?.link, ended[0]?.parentSpanId, ended[0]?.context.state], [remote, undefined, '']);
  });

  it('records nothing unless the caller or the rate asks for it', () => {
    const { ended, tracer } = tracerOf(0);
    assert.equal(tracer.begin('GET', 'server', { remote: undefined, continues: true, at: 0 }), undefined);
    assert.equal(tracer.begin('GET', 'server', { remote, continues: false, at: 0 }), undefined);
    const passing = tracer.begin('GET', 'server', { remote: { ...remote, isSampled: false }, continues: true, at: 0 });
    passing?.begin('inner').end();
    passing?.end();
    assert.deepEqual(passing?.headers, {
      traceparent: `00-${remote.traceId}-${remote.spanId}-00`,
      tracestate: 'a=b',
    });
    assert.deepEqual(ended, []);
  });

  it('bounds the texts and events of a span', () => {
    const { ended, tracer } = tracerOf(1_000_000);
    const span = tracer.begin('x'.repeat(5000), 'server', { remote: undefined, continues: true, at: 0 });
    span?.set({ long: 'y'.repeat(5000) });
    for (let count = 0; count < 100; count++) span?.addEvent('event', 0);
    span?.end();
    assert.equal(ended[0]?.name.length, 1024);
    assert.equal(String(ended[0].attributes['long']).length, 1024);
    assert.equal(ended[0].events.length, 64);
  });
});

test('a span that waits keeps nothing of the long texts that it is made from', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const heapInUse = (): number => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const { ended, tracer } = tracerOf(1_000_000);
  const before = heapInUse();
  for (let index = 0; index < 50; index++) {
    const head = Buffer.alloc(1_000_000, 'x').toString('latin1');
    const parent = `01-${remote.traceId}-${remote.spanId}-01-${head}`;
    const span = tracer.begin(head, 'server', { remote: readTraceContext(parent), continues: false, at: 0 });
    span?.set({ path: head, part: head.slice(100, 200) });
    span?.end();
  }
  assert.ok(heapInUse() - before < 10_000_000, 'fifty heads would be fifty megabytes and more');
  assert.equal(ended.length, 50);
  assert.equal(ended[0]?.link?.traceId, remote.traceId);
});

describe('isSampled', () => {
  for (const [traceId, rate, expected] of [
    ['00000000000000000000000000000001', 1, true],
    ['0000000000000000ffffffffffffffff', 999_999, false],
    ['0000000000000000ffffffffffffffff', 1_000_000, true],
    ['ffffffffffffffff7fffffffffffffff', 500_000, true],
    ['ffffffffffffffff8000000000000002', 500_000, false],
    ['00000000000000000000000000000001', 0, false],
  ] as const) {
    it(`${traceId} at ${rate}: ${expected}`, () => assert.equal(isSampled(traceId, rate), expected));
  }
});
