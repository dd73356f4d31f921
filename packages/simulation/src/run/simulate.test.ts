import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deployment } from '@binnacle/client/kinds/apps/v1';
import { simulate } from './index.js';

const web = (replicas: number): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'web:1' }] } },
  },
});

const play = async (seed: number, stopBefore?: number) => {
  const lines: string[] = [];
  const result = await simulate({
    seed,
    nodes: 3,
    scenario: {
      runFor: '5m',
      actions: [
        { at: '2s', apply: [web(4)] },
        { at: '1m', rollout: { resource: 'deployment', name: 'web' } },
        { at: '2m', cutOff: { any: 1, for: '2m' } },
      ],
    },
    write: (line) => lines.push(line),
    ...(stopBefore === undefined ? {} : { stopBefore }),
  });
  return { ...result, lines };
};

describe('simulate', () => {
  it('gives the same history for the same seed, to the byte', async () => {
    const [first, second, other] = [await play(7), await play(7), await play(8)];
    assert.deepEqual(first.failure, undefined);
    // The lines are too many for the report of an unequal pair.
    assert.equal(
      first.lines.findIndex((line, index) => line !== second.lines[index]),
      -1,
    );
    assert.equal(first.lines.length, second.lines.length);
    assert.equal(first.digest, second.digest);
    assert.notEqual(first.digest, other.digest);
    assert.deepEqual(
      first.state
        .list(Deployment)
        .map(({ status }) => [status?.replicas, status?.updatedReplicas, status?.readyReplicas]),
      [[4, 4, 4]],
    );
  });

  it('ends before the event that the caller names', async () => {
    const [whole, part] = [await play(7), await play(7, 100)];
    assert.equal(part.steps, 99);
    assert.deepEqual(part.lines, whole.lines.slice(0, 99));
    assert.equal(part.failure, undefined);
  });
});
