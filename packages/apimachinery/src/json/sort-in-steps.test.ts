import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sortedInSteps, sortedTextsInSteps } from './sort-in-steps.js';

const shuffled = (count: number): string[] => Array.from({ length: count }, (_, index) => `k${(index * 7919) % count}`);
const bytes = (text: string): Buffer => Buffer.from(text);

function run(sorting: ReturnType<typeof sortedTextsInSteps>) {
  for (let yields = 0; ; yields++) {
    const step = sorting.next();
    if (step.done === true) return { texts: step.value, yields };
  }
}

test('texts are sorted in steps by their UTF-8 bytes', () => {
  const texts = [...shuffled(20_000), '\uffff', '😀', '\ue000', ''];
  const { texts: found, yields } = run(sortedTextsInSteps(texts));
  assert.deepEqual(
    found,
    texts.toSorted((left, right) => Buffer.compare(bytes(left), bytes(right))),
  );
  assert.ok(yields >= 10, `${yields} yields`);
});

test('texts are sorted in steps in another order, and equal ones keep theirs', () => {
  const texts = shuffled(20_000);
  const byLength = (left: string, right: string): number => left.length - right.length;
  assert.deepEqual(run(sortedInSteps(texts, byLength)).texts, texts.toSorted(byLength));
});

test('few texts are sorted in one step', () => {
  assert.deepEqual(run(sortedTextsInSteps(['b', 'a'])), { texts: ['a', 'b'], yields: 0 });
  assert.deepEqual(run(sortedTextsInSteps([])), { texts: [], yields: 0 });
});
