import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counted } from '../testing/index.js';
import { sortedInSteps, sortedTextsInSteps } from './sort-in-steps.js';

const shuffled = (count: number): string[] => Array.from({ length: count }, (_, index) => `k${(index * 7919) % count}`);
const bytes = (text: string): Buffer => Buffer.from(text);

test('texts are sorted in steps by their UTF-8 bytes', () => {
  const texts = [...shuffled(20_000), '\uffff', '😀', '\ue000', ''];
  const { result: found, yields } = counted(sortedTextsInSteps(texts));
  assert.deepEqual(
    found,
    texts.toSorted((left, right) => Buffer.compare(bytes(left), bytes(right))),
  );
  assert.ok(yields >= 10, `${yields} yields`);
});

test('texts are sorted in steps in another order, and equal ones keep theirs', () => {
  const texts = shuffled(20_000);
  const byLength = (left: string, right: string): number => left.length - right.length;
  assert.deepEqual(counted(sortedInSteps(texts, byLength)).result, texts.toSorted(byLength));
});

test('items are sorted in steps of the given size', () => {
  const items = Array.from({ length: 9001 }, (_, index) => ({ key: (index * 7919) % 1000, index }));
  const compare = (left: { readonly key: number }, right: { readonly key: number }) => left.key - right.key;
  const { result, yields } = counted(sortedInSteps(items, compare, 2000));
  assert.deepEqual(result, items.toSorted(compare));
  assert.ok(yields >= 9, `${yields} yields`);
});

test('few texts are sorted in one step', () => {
  assert.deepEqual(counted(sortedTextsInSteps(['b', 'a'])), { result: ['a', 'b'], yields: 0 });
  assert.deepEqual(counted(sortedTextsInSteps([])), { result: [], yields: 0 });
});
