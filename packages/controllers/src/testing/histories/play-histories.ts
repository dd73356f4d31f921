import assert from 'node:assert/strict';
import type { DynamicClient } from '@binnacle/client/dynamic';
import type { RequestFacts } from '@binnacle/client/network';
import * as fc from 'fast-check';
import { randomRuns } from '../random-runs.js';
import { Simulation, type SimulationOptions } from '../simulation/index.js';
import { anyFaults } from './faults.js';

const HOUR = 3_600_000;

export interface HistoryOptions<Step> extends Omit<SimulationOptions, 'seed' | 'faults' | 'check'> {
  /** What users and other components do. */
  readonly step: fc.Arbitrary<Step>;
  /** The pauses after a step, in milliseconds. Default: from none to longer than caches are stale. */
  readonly pauses?: readonly number[];
  /** The number of histories, as for {@link randomRuns}. */
  readonly runs: number;
  /** Starts a history. Nothing fails until it resolves. */
  readonly begin: (simulation: Simulation) => Promise<History<Step>>;
}

/** One history, and what must hold in it. */
export interface History<Step> {
  readonly act: (step: Step) => Promise<unknown>;
  /** Called after each write of a loop, as `check` of a simulation. Throws if the write must not have happened. */
  readonly check?: (client: DynamicClient, write: RequestFacts) => Promise<void>;
  /** Called after the last step. Ends what would keep the loops from their goal. */
  readonly finish?: () => Promise<void>;
  /** Called when nothing writes any longer. Throws unless the loops have reached their goal. */
  readonly settled: () => Promise<void>;
}

/** Plays random histories with random faults. The loops must reach their goal each time, and write nothing in the hour after. */
export async function playHistories<Step>({
  step,
  pauses = [0, 10, 700, 8000],
  runs,
  begin,
  ...options
}: HistoryOptions<Step>): Promise<void> {
  const steps = fc.array(fc.tuple(step, fc.constantFrom(...pauses)), { minLength: 3, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(fc.nat(), anyFaults, steps, async (seed, faults, given) => {
      const playing: { history?: History<Step> } = {};
      await using simulation = await Simulation.start({
        ...options,
        seed,
        check: (client, write) => playing.history?.check?.(client, write),
      });
      const history = await begin(simulation);
      playing.history = history;
      simulation.faults = faults;
      for (const [each, pause] of given) {
        await history.act(each);
        await simulation.advance(pause);
      }
      await history.finish?.();
      await simulation.settle();
      await history.settled();
      simulation.log.clear();
      await simulation.advance(HOUR);
      assert.deepEqual(simulation.log.counts(), {});
    }),
    randomRuns(runs),
  );
}
