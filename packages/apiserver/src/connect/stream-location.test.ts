import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pod } from '@binnacle/api/types/core-v1';
import { containerOf, type StreamKind, streamTarget } from './stream-location.js';

const pod = (...names: string[]): Pod => ({
  metadata: { name: 'p', namespace: 'n' },
  spec: {
    initContainers: [{ name: 'first' }],
    containers: names.map((name) => ({ name })),
    ephemeralContainers: [{ name: 'debug' }],
  },
});

describe('streamTarget', () => {
  const cases: readonly (readonly [StreamKind, query: string, path: string, kubelet: string])[] = [
    [
      'exec',
      'command=sh&command=-c&command=a b&stdout=true&stderr=1',
      '/exec/n/p/c',
      'command=sh&command=-c&command=a+b&error=1&output=1',
    ],
    ['exec', 'stdin=true&tty=true&stdout=0&container=debug', '/exec/n/p/debug', 'input=1&tty=1'],
    ['attach', 'command=ignored&stdin=&stdout=false&container=first', '/attach/n/p/first', 'input=1'],
    ['portforward', '', '/portForward/n/p', ''],
    ['portforward', 'ports=80&ports=81,82', '/portForward/n/p', 'port=80%2C81%2C82'],
  ];
  for (const [kind, query, path, kubelet] of cases) {
    it(`leads ${kind}?${query} to ${path}`, () => {
      assert.deepEqual(streamTarget(kind, pod('c'), new URLSearchParams(query)), { path, query: kubelet });
    });
  }

  for (const [ports, reason] of [
    ['x', 'parsing "x": invalid syntax'],
    ['-1', 'parsing "-1": invalid syntax'],
    ['65536', 'parsing "65536": value out of range'],
    ['80,', 'parsing "": invalid syntax'],
  ] as const) {
    it(`refuses the ports ${ports}`, () => {
      const message = `cannot convert to []int32: strconv.ParseUint: ${reason}`;
      assert.throws(() => streamTarget('portforward', pod('c'), new URLSearchParams({ ports })), {
        message,
        code: 400,
      });
    });
  }
});

describe('containerOf', () => {
  it('is the named container, of any kind, or the only one', () => {
    assert.equal(containerOf(pod('c'), ''), 'c');
    for (const name of ['first', 'd', 'debug']) assert.equal(containerOf(pod('c', 'd'), name), name);
  });

  it('must exist, and be named when there are several', () => {
    const missing = 'a container name must be specified for pod p';
    assert.throws(() => containerOf(pod('c'), 'x'), { message: 'container x is not valid for pod p', code: 400 });
    assert.throws(() => containerOf(pod('c', 'd'), ''), { message: `${missing}, choose one of: [first c d debug]` });
    assert.throws(() => containerOf(pod(), ''), { message: missing, code: 400 });
  });
});
