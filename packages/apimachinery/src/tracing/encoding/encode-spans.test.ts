import assert from 'node:assert/strict';
import { it } from 'node:test';
import { encodeSpans } from './encode-spans.js';
import type { EndedSpan } from '../span.js';

const context = {
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  spanId: '00f067aa0ba902b7',
  isSampled: true,
  state: 'a=b',
};
const span: EndedSpan = {
  context,
  parentSpanId: 'aaaaaaaaaaaaaaaa',
  isParentRemote: true,
  link: { ...context, isSampled: false, state: '' },
  name: 'GET /a',
  kind: 'server',
  start: 1_700_000_000_000.5,
  end: 1_700_000_000_001,
  attributes: { text: '', number: 200 },
  events: [
    { name: 'first', at: 1 },
    { name: 'second', at: 2 },
  ],
};

const inner: EndedSpan = {
  context: { ...context, spanId: 'bbbbbbbbbbbbbbbb' },
  parentSpanId: undefined,
  isParentRemote: false,
  link: undefined,
  name: 'List',
  kind: 'internal',
  start: 1,
  end: 2,
  attributes: {},
  events: [],
};

/** The same message, as protobufjs encodes it. */
const expected = [
  '0aa1020a1d0a1b0a0c736572766963652e6e616d65120b0a0961706973657276657212ff010a070a0573636f706512b0010a',
  '104bf92f3577b34da6a3ce929d0e0e4736120800f067aa0ba902b71a03613d622208aaaaaaaaaaaaaaaa2a06474554202f61',
  '30023920a13136fe9c97174140423936fe9c97174a0a0a047465787412020a004a0d0a066e756d626572120318c8015a1009',
  '40420f0000000000120566697273745a110980841e000000000012067365636f6e646a210a104bf92f3577b34da6a3ce929d',
  '0e0e4736120800f067aa0ba902b7350003000085010103000012410a104bf92f3577b34da6a3ce929d0e0e47361208bbbbbb',
  'bbbbbbbbbb1a03613d622a044c69737430013940420f00000000004180841e0000000000850101010000',
].join('');

it('encodeSpans writes the message of opentelemetry-proto', () => {
  const bytes = encodeSpans({ 'service.name': 'apiserver' }, 'scope', [span, inner]);
  assert.equal(bytes.toString('hex'), expected);
});
