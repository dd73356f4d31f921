import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readTraceContext, traceHeaders } from './trace-context.js';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';
const parent = `00-${traceId}-${spanId}-01`;

describe('readTraceContext', () => {
  it('reads the trace, the span and whether it is sampled', () => {
    assert.deepEqual(readTraceContext(parent, 'a=b'), { traceId, spanId, isSampled: true, state: 'a=b' });
    assert.equal(readTraceContext(`00-${traceId}-${spanId}-02`)?.isSampled, false);
  });

  it('reads what later versions add', () => {
    assert.equal(readTraceContext(`cc-${traceId}-${spanId}-01-more`)?.traceId, traceId);
  });

  for (const invalid of [
    undefined,
    '',
    `00-${traceId}-${spanId}`,
    `${parent}-more`,
    `ff-${traceId}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    parent.toUpperCase(),
    `${parent}, ${parent}`,
  ]) {
    it(`ignores ${invalid}`, () => assert.equal(readTraceContext(invalid), undefined));
  }

  it('drops a state that is too long, or could not be a header again', () => {
    assert.equal(readTraceContext(parent, `a=${'b'.repeat(600)}`)?.state, '');
    assert.equal(readTraceContext(parent, 'a=é')?.state, '');
  });
});

describe('traceHeaders', () => {
  it('writes what was read', () => {
    const context = { traceId, spanId, isSampled: true, state: 'a=b' };
    assert.deepEqual(traceHeaders(context), { traceparent: parent, tracestate: 'a=b' });
    assert.deepEqual(traceHeaders({ ...context, isSampled: false, state: '' }), {
      traceparent: `00-${traceId}-${spanId}-00`,
    });
  });
});
