import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { START, usedPod } from './pod-usage.testing.js';
import { statsSummary } from './stats-summary.js';

const NOW = START + 60_000;
const time = '2027-01-04T00:01:00Z';

/** The numbers of one container that has run for this many seconds, or of several together. */
const stats = (seconds: number, containers = 1) => ({
  cpu: { time, usageNanoCores: 250_000_000 * containers, usageCoreNanoSeconds: 250_000_000 * seconds },
  memory: {
    time,
    usageBytes: (64 << 20) * containers,
    workingSetBytes: (64 << 20) * containers,
    rssBytes: (64 << 20) * containers,
  },
});

describe('the stats summary of a kubelet', () => {
  it('has the node, its pods and their containers', () => {
    const pods = [usedPod('web', { app: 0, proxy: 20 }, '2027-01-04T00:00:00Z'), usedPod('job', { run: 30 })];
    assert.deepEqual(statsSummary('node-0', pods, NOW), {
      node: { nodeName: 'node-0', ...stats(130, 3) },
      pods: [
        {
          podRef: { name: 'web', namespace: 'shop', uid: 'uid-web' },
          startTime: '2027-01-04T00:00:00Z',
          containers: [
            { name: 'app', startTime: '2027-01-04T00:00:00Z', ...stats(60) },
            { name: 'proxy', startTime: '2027-01-04T00:00:20Z', ...stats(40) },
          ],
          ...stats(100, 2),
        },
        {
          podRef: { name: 'job', namespace: 'shop', uid: 'uid-job' },
          startTime: time,
          containers: [{ name: 'run', startTime: '2027-01-04T00:00:30Z', ...stats(30) }],
          ...stats(30),
        },
      ],
    });
  });

  it('of a node without pods is zero', () => {
    assert.deepEqual(statsSummary('node-0', [], NOW), { node: { nodeName: 'node-0', ...stats(0, 0) }, pods: [] });
  });
});
