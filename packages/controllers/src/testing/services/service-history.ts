import * as fc from 'fast-check';
import type { ServiceCluster } from './service-cluster.js';

/** What happens to the pods of a service, and how long after the step before. */
export interface Step {
  readonly pod: number;
  readonly act: 'create' | 'delete' | 'ready' | 'unready';
  readonly after: number;
}

export const anyHistory: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    pod: fc.nat(4),
    act: fc.constantFrom('create', 'create', 'delete', 'ready', 'unready'),
    after: fc.constantFrom(0, 10, 700, 8000),
  }),
  { minLength: 3, maxLength: 15 },
);

const addressOf = (pod: number) => `10.9.0.${pod + 1}`;

/** Plays the history of the service `web`. Resolves to its endpoints as they should be in the end. */
export async function playHistory(cluster: ServiceCluster, history: readonly Step[]): Promise<string> {
  const ready = new Map<number, boolean>();
  for (const { pod, act, after } of history) {
    await cluster.simulation.advance(after);
    const isPresent = ready.has(pod);
    if (act === 'create' && !isPresent) {
      await cluster.createPod(`p${pod}`, 'web', addressOf(pod));
      ready.set(pod, true);
    } else if (act === 'delete' && isPresent) {
      await cluster.deletePod(`p${pod}`);
      ready.delete(pod);
    } else if (isPresent && act !== 'create') {
      await cluster.setReady(`p${pod}`, act === 'ready');
      ready.set(pod, act === 'ready');
    }
  }
  const texts = [...ready].map(([pod, isReady]) => `${addressOf(pod)}${isReady ? '' : '-'}`);
  return texts.sort().join(' ');
}
