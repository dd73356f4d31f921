// In a process of its own: the end of a profile also ends the measurement of coverage in the whole process.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sampleProcess } from './sample-process.js';
import type { StackTree } from './stack-tree.js';

it('samples this process until the end', async () => {
  const names = (tree: StackTree): readonly string[] => [tree.frame.name, ...tree.children.flatMap(names)];
  const kept: string[][] = [];
  for (const kind of ['profile', 'heap', 'allocs'] as const) {
    const { root, period } = await sampleProcess(kind, async () => {
      for (let round = 0; round < 40; round += 1)
        kept.push(Array.from({ length: 20_000 }, (_, at) => `${round}-${at}`));
      await Promise.resolve();
    });
    assert.ok(names(root).length > 1, kind);
    assert.ok(period > 0);
  }
  assert.equal(kept.length, 120);
});

it('ends with the error of the end', async () => {
  const gone = new Error('the client is gone');
  await assert.rejects(
    sampleProcess('profile', () => Promise.reject(gone)),
    gone,
  );
});
