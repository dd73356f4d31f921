import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Container, ContainerStatus, Pod } from '@binnacle/client/kinds/core/v1';
import { LogReader, readLogQuery, runLogOf, runOf } from './index.js';

const START = Date.UTC(2027, 0, 4);
const container: Container = { name: 'c', image: 'img:1' };
const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString().replace('.000Z', 'Z');
const FIRST = 'This container is simulated: Binnacle runs no program of the image img:1';

function pod(status: Partial<ContainerStatus>, annotations: Record<string, string> = {}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'p',
      annotations: Object.fromEntries(
        Object.entries(annotations).map(([key, value]) => [`binnacle.dev/${key}`, value]),
      ),
    },
    spec: { containers: [container] },
    status: {
      containerStatuses: [{ name: 'c', image: '', imageID: '', ready: true, restartCount: 0, ...status }],
    },
  };
}

const running = { state: { running: { startedAt: at(0) } } };
const ended = (from: number, to: number) => ({
  terminated: { exitCode: 1, startedAt: at(from), finishedAt: at(to), containerID: `containerd://${from}` },
});

/** What a client gets this many seconds after the start. */
function logText(query: string, given: Pod, seconds: number): string {
  const now = START + seconds * 1000;
  const options = readLogQuery(new URLSearchParams(query), now);
  if ('message' in options) return `${options.code} ${options.message}`;
  const run = runOf(given, 'c', options.previous);
  if ('problem' in run) return run.problem;
  const log = runLogOf(given, container, run, now);
  const reader = new LogReader(log, options, now);
  const pieces: Buffer[] = [];
  for (let piece = reader.read(log, now); piece !== undefined; piece = reader.read(log, now)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

describe('the log of a simulated container', () => {
  const plain = pod(running);
  const lines = pod(running, { logs: 'one\ntwo\n' });
  const slow = pod(running, { logs: 'one\ntwo', 'log-interval': '10s' });
  const twoRuns = pod(
    { state: { running: { startedAt: at(30) } }, lastState: ended(0, 15) },
    { logs: 'a', 'log-interval': '10s' },
  );
  const texts: Record<string, [string, Pod, number, string]> = {
    'says first that the container is simulated': ['', plain, 5, `${FIRST}\n`],
    'has the lines of the script': ['', lines, 5, `${FIRST}\none\ntwo\n`],
    'has a line each interval, repeating the lines': ['', slow, 25, `${FIRST}\none\ntwo\none\n`],
    'ends with its run': ['previous=true', twoRuns, 60, `${FIRST}\na\na\n`],
    'is of the present run': ['', twoRuns, 40, `${FIRST}\na\na\n`],
    'has its last lines': ['tailLines=1', slow, 25, 'one\n'],
    'has no lines': ['tailLines=0', slow, 25, ''],
    'has all of fewer lines': ['tailLines=9', lines, 5, `${FIRST}\none\ntwo\n`],
    'knows the old name of that option': ['tail=1', slow, 25, 'one\n'],
    'has all lines': ['tail=all', lines, 5, `${FIRST}\none\ntwo\n`],
    'has the lines of the last seconds': ['sinceSeconds=10', slow, 25, 'one\n'],
    'has the lines since a time, with that time': [`sinceTime=${at(10)}`, slow, 25, 'two\none\n'],
    'has no line of a later time': [`sinceTime=${at(1)}`, lines, 25, ''],
    'cuts a line': ['limitBytes=4&tailLines=2', lines, 5, 'one\n'],
    'cuts in a line': ['limitBytes=6&tailLines=2', lines, 5, 'one\ntw'],
    'has times': ['timestamps=true&tailLines=1', slow, 25, `${at(20).replace('Z', '.000000000Z')} one\n`],
    'has no times': ['timestamps=false&tailLines=1', slow, 25, 'one\n'],
    'has no stream of its own': [
      'stream=Stderr',
      plain,
      5,
      '400 unable to return the given log stream: "Stderr". Please enable PodLogsQuerySplitStreams feature gate in kubelet',
    ],
    'refuses what is not a number': ['tailLines=x', plain, 5, '400 {"message": "Unable to decode query."}'],
    'refuses a bad time': ['sinceTime=yesterday', plain, 5, '400 {"message": "Unable to decode query."}'],
    'refuses a negative number': ['tailLines=-1', plain, 5, '422 {"message": "Invalid request."}'],
    'refuses no bytes': ['limitBytes=0', plain, 5, '422 {"message": "Invalid request."}'],
    'refuses two times': [`sinceSeconds=1&sinceTime=${at(0)}`, plain, 5, '422 {"message": "Invalid request."}'],
    'has no previous run': ['previous=true', plain, 5, 'previous terminated container "c" in pod "p" not found'],
    'is not there before the start': [
      '',
      pod({ state: { waiting: { reason: 'ContainerCreating' } } }),
      0,
      'container "c" in pod "p" is waiting to start: ContainerCreating',
    ],
    'is not there while the image is missing': [
      '',
      pod({ state: { waiting: { reason: 'ImagePullBackOff' } } }),
      0,
      'container "c" in pod "p" is waiting to start: trying and failing to pull image',
    ],
    'is not there when the image cannot be pulled': [
      '',
      pod({ state: { waiting: { reason: 'ErrImagePull' } } }),
      0,
      `container "c" in pod "p" is waiting to start: image can't be pulled`,
    ],
    'is not there without a state': ['', pod({}), 0, 'container "c" in pod "p" is waiting to start - no logs yet'],
    'is not there for a container that ended and never ran': [
      '',
      pod({ state: { terminated: { exitCode: 137 } } }),
      0,
      'container "c" in pod "p" is terminated',
    ],
    'is that of a run that has ended': ['', pod({ state: ended(0, 3) }), 5, `${FIRST}\n`],
    'is that of the last run during a backoff': [
      '',
      pod({ state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: ended(0, 3) }),
      5,
      `${FIRST}\n`,
    ],
    'is not there for a container without a status': [
      '',
      { ...plain, status: {} },
      0,
      'container "c" in pod "p" is not available',
    ],
  };
  for (const [title, [query, given, seconds, expected]] of Object.entries(texts)) {
    it(title, () => assert.equal(logText(query, given, seconds), expected));
  }

  it('is read in pieces of bounded size, whatever its length', () => {
    const long = pod(running, { logs: 'x'.repeat(1000), 'log-interval': '100ms' });
    const now = START + 86_400_000;
    const options = readLogQuery(new URLSearchParams('tailLines=100000'), now);
    assert.ok(!('message' in options));
    const run = runOf(long, 'c', false);
    assert.ok(!('problem' in run));
    const log = runLogOf(long, container, run, now);
    const reader = new LogReader(log, options, now);
    assert.ok((reader.read(log, now)?.length ?? 0) <= 17_500);
    assert.equal(log.countAt(now), 864_002);
  });

  it('says when its next line comes', () => {
    const run = { startedAt: at(0), finishedAt: undefined };
    const query = readLogQuery(new URLSearchParams('follow=true'), START);
    assert.ok(!('message' in query));
    const next = (given: Pod, until: number, finished?: number): number => {
      const log = runLogOf(
        given,
        container,
        { ...run, finishedAt: finished === undefined ? undefined : at(finished) },
        START,
      );
      const reader = new LogReader(log, query, START);
      while (reader.read(log, START + until * 1000) !== undefined);
      return (reader.nextTime(log) - START) / 1000;
    };
    assert.deepEqual(
      [next(slow, 15), next(lines, 15), next(plain, 15), next(slow, 15, 19)],
      [20, Infinity, Infinity, Infinity],
    );
  });
});
