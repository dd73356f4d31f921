import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isEmail } from './email.js';

// Go's net/mail answers the same.

const addresses = [
  'a@b',
  ' a@ b ',
  'a.b+c@d.example',
  '\u00e9@\u00fc.example',
  '"a b"@c',
  '"a\\"b"@c',
  'a@[10.0.0.1]',
  'a@[::1]',
  '<a@b>',
  'N <a@b>',
  'N. M. <a@b>',
  '"N, M" <a@b>',
  'N (c) M <a@b>',
  '=?utf-8?q?N?= <a@b>',
  '=?x?z?N?= <a@b>',
  'N =?x?q?N?= <a@b>',
  'a@b (c (d) \\) e)',
  'g: a@b;',
  'g: N <a@b> (c);',
];

const others = [
  '',
  'a',
  '@b',
  'a@',
  'a @b',
  'a@b c',
  'a@b,c@d',
  '.a@b',
  'a.@b',
  'a..b@c',
  'a@b.',
  '""@b',
  '"a"b"@c',
  '"a\n"@b',
  '"a@b',
  'a@[10.0.0]',
  'a@[10.0.0.01]',
  'a@[::1%e]',
  'a@b<',
  '<a@b',
  '< a@b >',
  'N <a@b> M',
  'N, M <a@b>',
  '=?x?q?N?= <a@b>',
  'a@b (=?x?b?TQ==?=)',
  'a@b (c',
  'g:;',
  'g: a@b, c@d;',
  'g: h: a@b;;',
  'a@b\u0000',
  'a@b\n',
  'a\u007f@b',
];

for (const text of addresses) test(`${JSON.stringify(text)} is an address`, () => assert.ok(isEmail(text)));
for (const text of others) test(`${JSON.stringify(text)} is not an address`, () => assert.ok(!isEmail(text)));

test('a long text is read in one pass', () => {
  assert.ok(isEmail(`"${'\\a'.repeat(500_000)}" <${'a'.repeat(500_000)}@b>`));
  assert.ok(!isEmail(`a@b ${'('.repeat(500_000)}`));
  assert.ok(!isEmail('('.repeat(500_000)));
  assert.ok(!isEmail('a '.repeat(200_000)));
  assert.ok(!isEmail(`g:${' a@b,'.repeat(100_000)}`));
});
