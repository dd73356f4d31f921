import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { decodeContinueToken, encodeContinueToken, keyAfter } from './continue-token.js';

const PREFIX = '/registry/pods/';
const tokenOf = (fields: unknown): string => Buffer.from(JSON.stringify(fields)).toString('base64url');

function errorOf(text: string): string | undefined {
  const decoded = decodeContinueToken(text, PREFIX);
  return 'error' in decoded ? decoded.error : undefined;
}

describe('continue tokens', () => {
  it('survive a round trip in the form of upstream', () => {
    const token = { revision: 42, startKey: keyAfter(`${PREFIX}default/a`) };
    const text = encodeContinueToken(token, PREFIX);
    assert.deepEqual(decodeContinueToken(text, PREFIX), token);
    assert.equal(
      Buffer.from(text, 'base64url').toString(),
      '{"v":"meta.k8s.io/v1","rv":42,"start":"default/a\\u0000"}',
    );
    assert.deepEqual(decodeContinueToken(tokenOf({ v: 'meta.k8s.io/v1', rv: -7, start: '/a' }), PREFIX), {
      revision: -1,
      startKey: `${PREFIX}a`,
    });
  });

  it('may name a future revision', () => {
    const text = Buffer.from('{"v":"meta.k8s.io/v1","rv":9223372036854775807,"start":"a"}').toString('base64url');
    const decoded = decodeContinueToken(text, PREFIX);
    assert.deepEqual(decoded, { revision: Number.MAX_SAFE_INTEGER, startKey: `${PREFIX}a` });
  });

  it('are refused in the words of upstream', () => {
    const v = 'meta.k8s.io/v1';
    const cases: readonly (readonly [string, string])[] = [
      ['!!!', 'continue key is not valid: illegal base64 data at input byte 0'],
      ['abcde', 'continue key is not valid: illegal base64 data at input byte 4'],
      ['bnVs', 'continue key is not valid: invalid character in the decoded token'],
      [tokenOf(null), 'continue key is not valid: not an object'],
      [
        tokenOf({ v: 'meta.k8s.io/v2' }),
        'continue key is not valid: server does not recognize this encoded version meta.k8s.io/v2',
      ],
      [
        tokenOf({ v, start: 'a' }),
        'continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)',
      ],
      [
        tokenOf({ v, rv: 2 ** 64 }),
        'continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)',
      ],
      [tokenOf({ v, rv: 1 }), 'continue key is not valid: encoded start key empty (version meta.k8s.io/v1)'],
      [tokenOf({ v, rv: 1, start: '../secrets/' }), 'continue key is not valid: ../secrets/'],
      [tokenOf({ v, rv: 1, start: 'a//b' }), 'continue key is not valid: a//b'],
      [tokenOf({ v, rv: 1, start: 'a/./b' }), 'continue key is not valid: a/./b'],
      [tokenOf({ v, rv: 1, start: 'a/' }), 'continue key is not valid: a/'],
    ];
    for (const [text, message] of cases) assert.equal(errorOf(text), message);
  });

  it('never leave the prefix, and never name an impossible key', () => {
    assert.match(errorOf(tokenOf({ v: 'meta.k8s.io/v1', rv: 1, start: 'a'.repeat(2000) })) ?? '', /not valid/);
    const half = Buffer.from('{"v":"meta.k8s.io/v1","rv":1,"start":"\\ud800"}').toString('base64url');
    assert.match(errorOf(half) ?? '', /not valid/);
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[./a]*$/)), fc.integer(), (start, rv) => {
        const decoded = decodeContinueToken(tokenOf({ v: 'meta.k8s.io/v1', rv, start }), PREFIX);
        if ('error' in decoded) return;
        assert.ok(decoded.startKey.startsWith(PREFIX));
        assert.ok(!decoded.startKey.split('/').includes('..'));
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => void decodeContinueToken(text, PREFIX)));
  });
});
