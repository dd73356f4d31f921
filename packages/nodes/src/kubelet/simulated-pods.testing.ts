import type { Pod } from '@binnacle/client/kinds/core/v1';

/** When the containers of {@link podOn} start, in milliseconds since the epoch. */
export const STARTED = Date.UTC(2026, 0, 1);

/** The first line of their logs. */
export const FIRST = 'This container is simulated: Binnacle runs no program of the image img:1\n';

/** A pod whose one container `c` runs, with a log of two more lines. */
export function podOn(nodeName: string, name: string, spec: Partial<NonNullable<Pod['spec']>> = {}): Pod {
  const startedAt = '2026-01-01T00:00:00Z';
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'n', uid: `uid-of-${name}`, annotations: { 'binnacle.dev/logs': 'one\ntwo' } },
    spec: { nodeName, containers: [{ name: 'c', image: 'img:1', ports: [{ containerPort: 80 }] }], ...spec },
    status: {
      startTime: startedAt,
      containerStatuses: [
        {
          name: 'c',
          image: 'img:1',
          imageID: '',
          ready: true,
          restartCount: 0,
          containerID: `containerd://${name}`,
          state: { running: { startedAt } },
        },
      ],
    },
  };
}
