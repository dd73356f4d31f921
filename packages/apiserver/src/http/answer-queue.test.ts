import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AnswerQueue } from './answer-queue.js';

function open(): { queue: AnswerQueue; sent: number[]; closed: string[] } {
  const sent: number[] = [];
  const closed: string[] = [];
  const queue = new AnswerQueue(
    (bytes) => sent.push(bytes),
    () => closed.push('closed'),
  );
  return { queue, sent, closed };
}

describe('an answer queue', () => {
  it('hands over what is written before the end, in order', async () => {
    const { queue, sent, closed } = open();
    queue.write('a');
    queue.writeAll([Buffer.from('b'), Buffer.from('c')]);
    queue.end();
    assert.equal(queue.write('d'), false);
    const chunks: string[] = [];
    for await (const chunk of queue.read()) chunks.push(String(chunk));
    assert.deepEqual([chunks, sent, closed], [['a', 'bc'], [1, 2], ['closed']]);
  });

  it('holds a writer back until the reader has taken what waits', async () => {
    const { queue } = open();
    assert.equal(queue.write(Buffer.alloc(128 * 1024)), false);
    assert.equal(queue.pendingBytes, 128 * 1024);
    const drained = queue.drained();
    const reader = queue.read();
    await reader.next();
    await drained;
    assert.equal(queue.pendingBytes, 0);
  });

  it('rejects the reads and the waiting writers of a broken answer', async () => {
    const { queue, closed } = open();
    queue.write(Buffer.alloc(128 * 1024));
    const drained = queue.drained();
    queue.destroy();
    await assert.rejects(drained);
    await assert.rejects(queue.drained());
    await assert.rejects(queue.read().next(), /broken the answer off/);
    assert.deepEqual(closed, ['closed']);
  });

  it('closes when its reader leaves', async () => {
    const { queue, closed } = open();
    queue.write('a');
    for await (const chunk of queue.read()) {
      assert.equal(String(chunk), 'a');
      break;
    }
    assert.equal(queue.write('b'), false);
    assert.deepEqual(closed, ['closed']);
  });
});
