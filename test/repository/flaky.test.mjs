import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import failedFiles from '../../scripts/failed-files.mjs';
import { filesToRunAgain } from '../../scripts/flaky.mjs';

async function* eventsOf(...events) {
  yield* events;
}

const printed = async (...events) => {
  const lines = [];
  for await (const line of failedFiles(eventsOf(...events))) lines.push(line);
  return lines.join('');
};

describe('files with failed tests', () => {
  it('are printed once each', async () => {
    const events = [
      { type: 'test:pass', data: { file: '/a.test.js' } },
      { type: 'test:fail', data: { file: '/b.test.js' } },
      { type: 'test:fail', data: { file: '/c.test.js' } },
      { type: 'test:fail', data: { file: '/b.test.js' } },
      { type: 'test:fail', data: { file: '/d.test.js', todo: true } },
    ];
    assert.equal(await printed(...events), '/b.test.js\n/c.test.js\n');
  });

  it('include a failure that has no file', async () => {
    assert.equal(await printed({ type: 'test:fail', data: {} }), '\n');
  });
});

describe('filesToRunAgain', () => {
  const all = ['/a', '/b', '/c', '/d', '/e'];

  for (const [failed, expected, why] of [
    [['/a'], ['/a'], 'one failed'],
    [['/a', '/c', '/d'], ['/a', '/c', '/d'], 'three failed'],
    [['/a', '/b', '/c', '/d'], [], 'more failed than can be chance'],
    [['/a', '/runner'], [], 'the shared process ended'],
    [[''], [], 'a failure has no file'],
    [[], [], 'no test failed, so the run itself did'],
  ])
    it(`is ${expected.length === 0 ? 'none' : expected.join(', ')} when ${why}`, () =>
      assert.deepEqual(filesToRunAgain(failed, all), expected));
});
