import { type ManagerOptions, runLoops } from '@binnacle/controllers';
import { createSchedulerLoop } from './scheduler-loop.js';

export type SchedulerOptions = Pick<
  ManagerOptions,
  'connect' | 'report' | 'leaderElection' | 'status' | 'clock' | 'random'
>;

/** Bindings, conditions and victims a second in the long run, and at once after a pause. Upstream: `clientConnection`, with 50 and 100. */
const WRITES = { kubeApiQps: 200, kubeApiBurst: 400 };

/** Runs a scheduler until the signal fires and its writes have ended. Does not reject. */
export async function runScheduler(options: SchedulerOptions, signal: AbortSignal): Promise<void> {
  const loop = {
    name: 'kube-scheduler',
    aliases: [],
    serviceAccount: 'kube-scheduler',
    actsAsManager: true,
    enabledByDefault: true,
    create: async (context: Parameters<typeof createSchedulerLoop>[0]) => createSchedulerLoop(context),
  } as const;
  const given = { component: 'kube-scheduler', loops: [loop], certificateAuthority: '', settings: WRITES } as const;
  await runLoops({ ...options, ...given }, signal);
}
