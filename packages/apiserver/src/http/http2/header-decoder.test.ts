import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ConnectionError } from './error-codes.js';
import { HeaderDecoder, type HeaderList } from './header-decoder.js';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const text = (value: string): Buffer => Buffer.concat([Buffer.of(value.length), Buffer.from(value, 'latin1')]);
/** A literal field of under 127 bytes each; indexed: it enters the dynamic table. */
const literal = (name: string, value: string, isIndexed = true): Buffer =>
  Buffer.concat([Buffer.of(isIndexed ? 0x40 : 0), text(name), text(value)]);
const newDecoder = (): HeaderDecoder => new HeaderDecoder({ maxSize: 10_000, maxFields: 100 });
const decode = (block: Buffer): HeaderList => newDecoder().decode(block);

describe('a header decoder', () => {
  it('decodes the requests of RFC 7541, appendix C.3 and C.4', () => {
    const connections = [
      [
        '8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d',
        '8286 84be 5808 6e6f 2d63 6163 6865',
        '8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65',
      ],
      [
        '8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff',
        '8286 84be 5886 a8eb 1064 9cbf',
        '8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf',
      ],
    ];
    const authority = [':authority', 'www.example.com'];
    for (const blocks of connections) {
      const decoder = newDecoder();
      assert.deepEqual(
        blocks.map((block) => decoder.decode(hex(block)).fields),
        [
          [':method', 'GET', ':scheme', 'http', ':path', '/', ...authority],
          [':method', 'GET', ':scheme', 'http', ':path', '/', ...authority, 'cache-control', 'no-cache'],
          [':method', 'GET', ':scheme', 'https', ':path', '/index.html', ...authority, 'custom-key', 'custom-value'],
        ],
      );
    }
  });

  it('keeps spaces at the ends of values, inner tabs, and bytes above ASCII', () => {
    for (const value of ['', ' alice', 'alice ', '\talice', ' ', 'a\tb', 'é', '"']) {
      const { fields, isWellFormed } = decode(literal('impersonate-user', value));
      assert.deepEqual({ fields, isWellFormed }, { fields: ['impersonate-user', value], isWellFormed: true });
    }
  });

  for (const [name, value] of [
    ['x', 'a\0b'],
    ['x', 'a\nb'],
    ['x', 'a\rb'],
    ['x', 'a\x7fb'],
    ['Impersonate-User', 'alice'],
    ['impersonate user', 'alice'],
    ['impersonate-usér', 'alice'],
    ['impersonate:user', 'alice'],
    ['', 'alice'],
    [':', 'alice'],
  ] as const) {
    it(`finds ${JSON.stringify(name)}: ${JSON.stringify(value)} malformed, in the table too`, () => {
      const decoder = newDecoder();
      assert.equal(decoder.decode(literal(name, value, false)).isWellFormed, false);
      assert.equal(decoder.decode(literal(name, value)).isWellFormed, false);
      assert.equal(decoder.decode(hex('82')).isWellFormed, true, 'each block for itself');
      assert.equal(decoder.decode(hex('be')).isWellFormed, false);
      const named = Buffer.concat([hex('0f2f'), text('value')]);
      assert.equal(decoder.decode(named).isWellFormed, name === 'x', 'its name with another value');
    });
  }

  it('drops fields beyond its limits, and keeps its table up to date', () => {
    for (const limits of [
      { maxSize: 110, maxFields: 100 },
      { maxSize: 10_000, maxFields: 3 },
    ]) {
      const decoder = new HeaderDecoder(limits);
      const names = ['a', 'b', 'c', 'd'];
      const list = decoder.decode(Buffer.concat(names.map((name) => literal(name, 'v'))));
      assert.equal(list.isTooLarge, true);
      assert.deepEqual(list.fields, ['a', 'v', 'b', 'v', 'c', 'v']);
      assert.deepEqual(decoder.decode(hex('be')).fields, ['d', 'v']);
    }
  });

  it('evicts the oldest fields beyond the size of the table, which the client may change', () => {
    const decoder = newDecoder();
    // 4096 bytes hold 32 fields of 128.
    for (let count = 0; count < 40; count++) decoder.decode(literal('n', 'v'.repeat(95)));
    assert.equal(decoder.decode(Buffer.of(0x80 | 62, 0x80 | 93)).fields.length, 4);
    assert.throws(() => decoder.decode(Buffer.of(0x80 | 94)), ConnectionError);
    const shrunk = newDecoder();
    shrunk.decode(Buffer.concat([literal('a', ' '), literal('b', 'c')]));
    // To 34 bytes, which hold the last one.
    assert.deepEqual(shrunk.decode(hex('3f 03 be')).fields, ['b', 'c']);
    assert.throws(() => shrunk.decode(hex('bf')), ConnectionError);
  });

  for (const [what, block] of [
    ['index 0', '80'],
    ['an unknown index', 'be'],
    ['a literal with an unknown index', '7f00 01'],
    ['a table above the limit', '3fe21f'],
    ['a change of the table after a field', '82 20'],
    ['an endless integer', 'ffffffffffffffff'],
    ['a text that is not in the code', '0001 61 84ffffffff'],
    ['a block that ends within a text', '0001 61 05 61'],
    ['a block that ends within a field', '0001 61'],
    ['a block that ends within an integer', 'ff'],
  ] as const) {
    it(`refuses ${what}`, () => {
      assert.throws(() => decode(hex(block)), ConnectionError);
    });
  }
});
