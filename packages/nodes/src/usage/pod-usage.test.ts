import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Container, Pod } from '@binnacle/client/kinds/core/v1';
import { podUsage, usageSum } from './pod-usage.js';
import { START } from './pod-usage.testing.js';

const running = (name: string, startedAt: string) => {
  return { name, image: '', imageID: '', ready: true, restartCount: 0, state: { running: { startedAt } } };
};

function podWith(container: Partial<Container>, annotations: Record<string, string> = {}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'n', annotations },
    spec: { containers: [{ name: 'c', ...container }] },
    status: { containerStatuses: [running('c', '2027-01-04T00:00:00Z')] },
  };
}

describe('the usage of a pod', () => {
  const requests = { cpu: '250m', memory: '64Mi' };
  const cases: Record<string, [Pod, { readonly cpu: number; readonly memory: number }]> = {
    'is little without requests': [podWith({}), { cpu: 0.001, memory: 10 << 20 }],
    'is what the container requests': [podWith({ resources: { requests } }), { cpu: 0.25, memory: 64 << 20 }],
    'is what the script says': [
      podWith({ resources: { requests } }, { 'binnacle.dev/cpu': '1500m', 'binnacle.dev/memory': '1Gi' }),
      { cpu: 1.5, memory: 1 << 30 },
    ],
  };
  for (const [title, [pod, { cpu, memory }]] of Object.entries(cases)) {
    it(title, () => {
      const containers = [{ name: 'c', startedAt: START, cpu, memory, cpuSeconds: cpu * 60 }];
      assert.deepEqual(podUsage(pod, START + 60_000), { pod, containers });
    });
  }

  it('leaves out containers that do not run, and includes init containers', () => {
    const pod: Pod = {
      ...podWith({}),
      spec: { initContainers: [{ name: 'sidecar' }], containers: [{ name: 'c' }, { name: 'waiting' }] },
      status: {
        initContainerStatuses: [running('sidecar', '2027-01-04T00:00:30Z')],
        containerStatuses: [running('c', '2027-01-04T00:00:00Z')],
      },
    };
    const used = podUsage(pod, START + 60_000).containers.map(({ name, startedAt }) => [name, startedAt - START]);
    assert.deepEqual(used, [
      ['sidecar', 30_000],
      ['c', 0],
    ]);
  });

  it('never counts a start in the future', () => {
    const [usage] = podUsage(podWith({}), START - 5000).containers;
    assert.deepEqual([usage?.startedAt, usage?.cpuSeconds], [START - 5000, 0]);
  });

  it('adds up', () => {
    const one = { cpu: 0.5, memory: 100, cpuSeconds: 3 };
    assert.deepEqual(usageSum([one, one]), { cpu: 1, memory: 200, cpuSeconds: 6 });
    assert.deepEqual(usageSum([]), { cpu: 0, memory: 0, cpuSeconds: 0 });
  });
});
