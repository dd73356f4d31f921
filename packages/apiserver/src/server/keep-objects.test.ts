import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle, VirtualClock } from '@binnacle/apimachinery/clock';
import { keepObjects } from './keep-objects.js';

describe('keepObjects', () => {
  async function run(isComplete: boolean, seconds: number, bootstrap: () => Promise<boolean>): Promise<string[]> {
    const clock = new VirtualClock();
    const steps: string[] = [];
    const log = (step: string): void => void steps.push(`${clock.monotonic() / 1000} ${step}`);
    const kept = keepObjects({
      clock,
      isComplete,
      bootstrap: () => {
        log('bootstrap');
        return bootstrap();
      },
      restore: () => {
        log('restore');
        return Promise.resolve();
      },
      report: (error) => log(String(error)),
    });
    await clock.advance(seconds * 1000);
    kept[Symbol.dispose]();
    await clock.advance(60_000);
    return steps;
  }

  it('restores every ten seconds until it is disposed of', async () => {
    const steps = await run(true, 35, () => assert.fail('the start is complete'));
    assert.deepEqual(steps, ['10 restore', '20 restore', '30 restore']);
  });

  it('completes the start first, and reports what fails', async () => {
    const results = [
      () => Promise.reject(new Error('no disk')),
      () => Promise.resolve(false),
      () => Promise.resolve(true),
    ];
    const steps = await run(false, 45, () => results.shift()?.() ?? assert.fail('it is complete'));
    assert.deepEqual(steps, ['10 bootstrap', '10 Error: no disk', '20 bootstrap', '30 bootstrap', '40 restore']);
  });

  it('waits for a run that takes long', async () => {
    let end: (isDone: boolean) => void = () => undefined;
    const clock = new VirtualClock();
    let count = 0;
    using _ = keepObjects({
      clock,
      isComplete: false,
      bootstrap: () => {
        count++;
        return new Promise((resolve) => {
          end = resolve;
        });
      },
      restore: () => Promise.resolve(),
      report: (error) => assert.fail(String(error)),
    });
    await clock.advance(55_000);
    assert.equal(count, 1);
    end(false);
    await settle();
    await clock.advance(10_000);
    assert.equal(count, 2);
  });
});
