import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { atRest } from './at-rest.js';

describe('atRest', () => {
  it('waits for promise reactions, ticks, immediates, and what follows from them', async () => {
    const done: string[] = [];
    const chain = async (): Promise<void> => {
      for (let step = 0; step < 100; step++) await Promise.resolve();
      done.push('reactions');
      for (let step = 0; step < 20; step++) {
        await new Promise((resolve) => {
          setImmediate(() => process.nextTick(resolve));
        });
      }
      done.push('immediates');
    };
    void chain();
    await atRest();
    assert.deepEqual(done, ['reactions', 'immediates']);
  });

  it('waits for a file and for a module', async () => {
    const done: string[] = [];
    void readFile(new URL(import.meta.url)).then(() => done.push('file'));
    void import('./index.js').then(() => done.push('module'));
    await atRest();
    assert.deepEqual(done.sort(), ['file', 'module']);
  });

  it('resolves for several callers at once', async () => {
    await Promise.all([atRest(), atRest(), atRest()]);
  });

  it('does not wait for a timer', async () => {
    const timer = setTimeout(() => assert.fail(), 100_000);
    await atRest();
    clearTimeout(timer);
  });
});
