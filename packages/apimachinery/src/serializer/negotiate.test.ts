import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  acceptsExactly,
  allowsMetaTransform,
  formatMediaType,
  isPretty,
  type MediaType,
  negotiate,
  negotiateInput,
} from './index.js';

function accepted(accept: string | undefined): MediaType | undefined {
  return negotiate(accept, { allowsTransform: allowsMetaTransform });
}

const chosen: readonly (readonly [string | undefined, string | undefined])[] = [
  [undefined, 'application/json'],
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['*', 'application/json'],
  ['application/*', 'application/json'],
  ['application/yaml', 'application/yaml'],
  ['text/html, application/json;q=0.5', 'application/json'],
  ['application/json;q=0.1, application/yaml;q=0.9', 'application/yaml'],
  ['application/vnd.kubernetes.protobuf, */*', 'application/vnd.kubernetes.protobuf'],
  ['application/cbor,application/yaml', 'application/yaml'],
  ['application/json;as=Chair;v=v1;g=meta.k8s.io, application/yaml', 'application/yaml'],
  ['application/json;stream=watch', 'application/json'],
  ['application/json;stream=other', undefined],
  ['application/vnd.kubernetes.protobuf;stream=watch', 'application/vnd.kubernetes.protobuf'],
  ['application/cbor', undefined],
  ['text/html', undefined],
  ['image/png', undefined],
  ['application', undefined],
];

for (const [accept, expected] of chosen) {
  test(`Accept: ${accept} selects ${expected}`, () => {
    assert.equal(accepted(accept)?.mediaType, expected);
  });
}

test('the router knows no range of media types but the range of all', () => {
  const offered = ['application/json', 'application/yaml'];
  const accepts = [undefined, '', '*/*', 'text/html, */*;q=0.1', 'text/html , application/yaml ;q=0', ...offered];
  for (const accept of accepts) assert.equal(acceptsExactly(accept, offered), true, accept);
  for (const accept of ['application/*', '*', 'text/html', 'APPLICATION/JSON', 'application/*;q=1,text/*']) {
    assert.equal(acceptsExactly(accept, offered), false, accept);
  }
});

test('a long run of spaces inside an Accept header takes no longer than other text', () => {
  const accept = `text/html${' '.repeat(1_000_000)}x`;
  assert.equal(acceptsExactly(accept, ['application/json']), false);
  assert.equal(accepted(`${accept}, application/yaml`)?.mediaType, 'application/yaml');
});

test('parameters request a table', () => {
  const table = accepted('application/json;as=Table;v=v1;g=meta.k8s.io,application/json');
  assert.deepEqual(table?.convert, { group: 'meta.k8s.io', version: 'v1', kind: 'Table' });
  assert.equal(accepted('application/json;as=Table;v=v1beta1;g=meta.k8s.io')?.convert?.version, 'v1beta1');
  assert.equal(accepted('application/json;as=Table;v=v2;g=meta.k8s.io'), undefined);
  assert.equal(negotiate('application/json;as=Table;v=v1;g=meta.k8s.io,application/json')?.convert, undefined);
  assert.equal(table === undefined ? '' : formatMediaType(table), 'application/json;g=meta.k8s.io;v=v1;as=Table');
});

const bodies: readonly (readonly [string | undefined, string | undefined])[] = [
  [undefined, 'application/json'],
  ['', 'application/json'],
  ['Application/JSON; charset=utf-8', 'application/json'],
  ['application/json;', 'application/json'],
  [' application/yaml ; a="x;\\"y" ; B=c', 'application/yaml'],
  ['text/plain', undefined],
  ['application', undefined],
  ['; charset=utf-8', undefined],
  ['application/json; charset', undefined],
  ['application/json; charset=', undefined],
  ['application/json; a=b c', undefined],
  ['application/json; a=b; A=c', undefined],
];

for (const [header, expected] of bodies) {
  test(`Content-Type: ${header} selects ${expected}`, () => {
    assert.equal(negotiateInput(header, ['application/json', 'application/yaml']), expected);
  });
}

test('browsers and people get indented responses', () => {
  assert.equal(isPretty('true', undefined), true);
  assert.equal(isPretty('0', 'curl/8'), false);
  assert.equal(isPretty('', 'curl/8.1'), true);
  assert.equal(isPretty(undefined, 'Mozilla/5.0 (X11)'), true);
  assert.equal(isPretty(undefined, 'kubectl/v1.36.0'), false);
  assert.equal(accepted('application/json;pretty=1')?.pretty, true);
});

test('a quality of a million digits takes no minutes', () => {
  const worst = `application/yaml;q=${'1'.repeat(1_000_000)}x`;
  assert.equal(accepted(`${worst},application/json;q=0.1`)?.mediaType, 'application/json');
});

test('any header is handled', () => {
  const piece = fc.constantFrom(
    'application',
    '/',
    'json',
    '*',
    ',',
    ';',
    'q=0.3',
    'as=Table',
    '=',
    ' ',
    'stream=watch',
    '\u00e9',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      accepted(pieces.join(''));
    }),
  );
});
