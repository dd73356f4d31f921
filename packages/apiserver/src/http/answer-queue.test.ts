import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as loop } from 'node:timers/promises';
import { AnswerQueue, LONG_BYTES } from './answer-queue.js';

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

  it('hands over one long chunk in a turn, however many are read at once', async (context) => {
    await loop();
    let time = 0;
    context.mock.method(performance, 'now', () => time);
    const order: string[] = [];
    const read = async (): Promise<void> => {
      const { queue } = open();
      queue.write(Buffer.alloc(LONG_BYTES + 1));
      queue.end();
      for await (const chunk of queue.read()) {
        order.push(String(chunk.length));
        time += 6;
      }
    };
    const others = (async () => {
      for (let turn = 0; turn < 4; turn++) {
        await loop();
        order.push('.');
      }
    })();
    await Promise.all([read(), read(), others]);
    const long = String(LONG_BYTES + 1);
    assert.ok(order.slice(order.indexOf(long), order.lastIndexOf(long)).includes('.'), 'others run in between');
  });

  it('hands over no long chunk to a reader that has left', async () => {
    const { queue } = open();
    queue.write(Buffer.alloc(LONG_BYTES + 1));
    const read = queue.read().next();
    queue.leave(new Error('enough'));
    await assert.rejects(read, /enough/);
  });
});
