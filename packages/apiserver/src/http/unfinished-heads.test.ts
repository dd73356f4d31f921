import assert from 'node:assert/strict';
import { it } from 'node:test';
import { UnfinishedHeads } from './unfinished-heads.js';

const KIB = 1024;

it('a large head is cut off when all that have begun take too much, and a small one never', () => {
  const heads = new UnfinishedHeads(1000 * KIB);
  const cut: string[] = [];
  const [large, other, small] = ['large', 'other', 'small'].map((name) => heads.of(() => cut.push(name)));
  large?.add(600 * KIB);
  other?.add(400 * KIB);
  assert.deepEqual(cut, []);
  small?.add(64 * KIB);
  assert.deepEqual(cut, []);
  other?.add(1);
  assert.deepEqual(cut, ['other']);
  large?.add(300 * KIB);
  assert.deepEqual(cut, ['other'], 'a head that was cut off counts no more');
  large?.end();
  other?.end();
  small?.end();
  small?.add(1000 * KIB);
  assert.deepEqual(cut, ['other'], 'a head that has ended counts no more');
  small?.add(1);
  assert.deepEqual(cut, ['other', 'small']);
});
