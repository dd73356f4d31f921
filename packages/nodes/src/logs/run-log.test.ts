import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Container, Pod } from '@binnacle/client/kinds/core/v1';
import { logTime, RunLog, type RunLogParts, runLogOf } from './run-log.js';

const START = Date.UTC(2027, 0, 4);
const logWith = (parts: Partial<RunLogParts>): RunLog =>
  new RunLog({ startedAt: START, endedAt: undefined, first: 'first', lines: [], interval: undefined, ...parts });

const plain = logWith({});
const once = logWith({ lines: ['a', 'b'] });
const repeated = logWith({ lines: ['a', 'b'], interval: 10_000 });
const ended = logWith({ lines: ['a', 'b'], interval: 10_000, endedAt: START + 15_000 });

describe('the log of a run', () => {
  it('grows with time, until the run ends', () => {
    const counts = (log: RunLog): number[] => [-1, 0, 9, 10, 25, 100].map((at) => log.countAt(START + at * 1000));
    assert.deepEqual(counts(plain), [0, 1, 1, 1, 1, 1]);
    assert.deepEqual(counts(once), [0, 3, 3, 3, 3, 3]);
    assert.deepEqual(counts(repeated), [0, 2, 2, 3, 4, 12]);
    assert.deepEqual(counts(ended), [0, 2, 2, 3, 3, 3]);
    assert.deepEqual([repeated.isComplete, ended.isComplete], [false, true]);
  });

  it('knows the first line since a time', () => {
    const firsts = (log: RunLog): number[] => [-1, 0, 1, 10, 11].map((at) => log.firstSince(START + at * 1000));
    assert.deepEqual(firsts(plain), [0, 0, 1, 1, 1]);
    assert.deepEqual(firsts(once), [0, 0, 3, 3, 3]);
    assert.deepEqual(firsts(repeated), [0, 0, 2, 2, 3]);
  });

  it('has a time and a text for each line', () => {
    const lines = (log: RunLog, count: number) =>
      Array.from({ length: count }, (_, index) => [(log.line(index).at - START) / 1000, log.line(index).text]);
    assert.deepEqual(lines(plain, 1), [[0, 'first']]);
    assert.deepEqual(lines(once, 3), [
      [0, 'first'],
      [0, 'a'],
      [0, 'b'],
    ]);
    assert.deepEqual(lines(repeated, 4), [
      [0, 'first'],
      [0, 'a'],
      [10, 'b'],
      [20, 'a'],
    ]);
  });

  it('knows when a line comes, if ever', () => {
    const times = (log: RunLog): number[] => [0, 1, 2, 3].map((index) => (log.timeOf(index) - START) / 1000);
    assert.deepEqual(times(plain), [0, Infinity, Infinity, Infinity]);
    assert.deepEqual(times(once), [0, 0, 0, Infinity]);
    assert.deepEqual(times(repeated), [0, 0, 10, 20]);
    assert.deepEqual(times(ended), [0, 0, 10, Infinity]);
  });

  it('has the lines of the script only for the containers of the pod', () => {
    const [app, sidecar]: Container[] = [{ name: 'app', image: 'img:1' }, { name: 'sidecar' }];
    const pod: Pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', annotations: { 'binnacle.dev/logs': 'a\nb', 'binnacle.dev/log-interval': '1s' } },
      spec: { containers: app === undefined ? [] : [app] },
    };
    const textsOf = (container: Container | undefined): string[] => {
      const run = { startedAt: '2027-01-04T00:00:00Z', finishedAt: '2027-01-04T00:00:01Z' };
      const log = runLogOf(pod, container ?? { name: '' }, run, START);
      return Array.from({ length: log.countAt(START + 60_000) }, (_, index) => log.line(index).text);
    };
    const first = 'This container is simulated: Binnacle runs no program of the image ';
    assert.deepEqual(textsOf(app), [`${first}img:1`, 'a', 'b']);
    assert.deepEqual(textsOf(sidecar), [first]);
  });

  it('shows times with nanoseconds', () => {
    assert.equal(logTime(START), '2027-01-04T00:00:00.000000000Z');
    assert.equal(logTime(START + 1023), '2027-01-04T00:00:01.023000000Z');
  });
});
