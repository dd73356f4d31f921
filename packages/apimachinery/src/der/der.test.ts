import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMON_NAME, DerError, elementsOf, identifierOf, nameOf, ORGANIZATION, textOf } from './index.js';

const bytes = (...octets: number[]): Buffer => Buffer.from(octets);
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

test('elements have only one encoding', () => {
  assert.deepEqual(
    elementsOf(hex('0500 0401ff')).map(({ tag, content }) => [tag, content.toString('hex')]),
    [
      [5, ''],
      [4, 'ff'],
    ],
  );
  assert.equal(elementsOf(Buffer.concat([hex('0481c8'), Buffer.alloc(200)])).length, 1);
  assert.equal(elementsOf(Buffer.concat([hex('04820100'), Buffer.alloc(256)])).length, 1);
  assert.equal(elementsOf(Buffer.alloc(100_000)).length, 50_000);
  assert.throws(() => elementsOf(Buffer.alloc(100_002)), DerError);
  const broken = ['04', '0402ff', '048101ff', '04820001ff', '0480ff0000', '0484000000 01ff', '1f0100', '0500 00'];
  for (const each of broken) assert.throws(() => elementsOf(hex(each)), DerError, each);
});

test('object identifiers have only one encoding', () => {
  const read = (text: string): string => identifierOf(elementsOf(hex(text))[0]);
  assert.equal(read('0603 550403'), COMMON_NAME);
  assert.equal(read('0606 2a864886f70d'), '1.2.840.113549');
  assert.equal(read('0602 8837'), '2.999');
  for (const each of ['0600', '0602 2a80', '0603 2a8001', '0607 2a88808080 8000', '0403 550403']) {
    assert.throws(() => read(each), DerError, each);
  }
});

test('accepts only strings that all readers decode alike', () => {
  const read = (tag: number, content: Buffer): string => textOf({ tag, content, whole: content });
  assert.equal(read(0x0c, Buffer.from('jäne')), 'jäne');
  assert.equal(read(0x12, Buffer.from('1 2')), '1 2');
  assert.equal(read(0x13, Buffer.from("a-b 'c' *&")), "a-b 'c' *&");
  assert.equal(read(0x14, bytes(0x6a, 0xe4)), 'jä');
  assert.equal(read(0x16, Buffer.from('a@b')), 'a@b');
  assert.equal(read(0x1e, bytes(0, 0x6a, 0, 0xe4, 0, 0)), 'jä');
  const refused: readonly [number, Buffer][] = [
    [0x0c, bytes(0xff)],
    [0x12, Buffer.from('a')],
    [0x13, Buffer.from('a_b')],
    [0x16, bytes(0xe4)],
    [0x1e, bytes(0)],
    [0x1e, bytes(0xd8, 0)],
    [0x1e, bytes(0xff, 0xff)],
    [0x1c, bytes(0, 0, 0, 0x61)],
    [0x1b, Buffer.from('a')],
    [0x04, Buffer.from('a')],
    [0x2c, Buffer.from('a')],
  ];
  for (const [tag, content] of refused) assert.throws(() => read(tag, content), DerError, String(tag));
  assert.throws(() => textOf(undefined), DerError);
});

test('decodes a distinguished name', () => {
  const read = (text: string) => nameOf(elementsOf(hex(text))[0]);
  assert.deepEqual(read('301a 310c 300a 0603 55040a 0c03 646576 310a 3008 0603 550403 0c01 6a'), [
    { type: ORGANIZATION, value: 'dev' },
    { type: COMMON_NAME, value: 'j' },
  ]);
  assert.deepEqual(read('3000'), []);
  for (const each of ['3002 3100', '300e 310c 300a 0603 550403 0c01 6a 0500', '3108 3006 0603 550403 0c01 6a']) {
    assert.throws(() => read(each), DerError, each);
  }
});
