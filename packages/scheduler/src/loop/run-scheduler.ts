import { type ManagerOptions, runLoops } from '@binnacle/controllers';
import type { ControlLoop, LoopContext } from '@binnacle/controllers/loop';
import { defaultConfiguration, type SchedulerConfiguration } from '../config/index.js';
import { createSchedulerLoop } from './scheduler-loop.js';

export interface SchedulerOptions
  extends Pick<ManagerOptions, 'connect' | 'report' | 'leaderElection' | 'status' | 'clock' | 'random'> {
  /** Default: one profile, `default-scheduler`, with the default plugins. See {@link readSchedulerConfiguration}. */
  readonly configuration?: SchedulerConfiguration | undefined;
}

/** Default limits of bindings, conditions and preemptions: the average rate, and the burst. Upstream: `clientConnection`, with 50 and 100. */
const DEFAULT_QPS = 200;
const DEFAULT_BURST = 400;

/** Runs a scheduler until the signal fires and its writes have ended. Does not reject. */
export async function runScheduler(
  { configuration = defaultConfiguration, ...options }: SchedulerOptions,
  signal: AbortSignal,
): Promise<void> {
  const { qps = DEFAULT_QPS, burst = DEFAULT_BURST } = configuration;
  const loop = {
    name: 'kube-scheduler',
    aliases: [],
    serviceAccount: 'kube-scheduler',
    actsAsManager: true,
    enabledByDefault: true,
    create: async (context: LoopContext) => createScheduler(context, configuration),
  } as const;
  const settings = { kubeApiQps: qps, kubeApiBurst: burst };
  const given = { component: 'kube-scheduler', loops: [loop], certificateAuthority: '', settings } as const;
  await runLoops({ ...options, ...given }, signal);
}

/**
 * The connections to extenders end with the loop. Rejects if a file of theirs is missing. Without extenders, a scheduler in the process of a server
 * loads nothing that connects.
 */
async function createScheduler(context: LoopContext, configuration: SchedulerConfiguration): Promise<ControlLoop> {
  if (configuration.extenders.length === 0) return createSchedulerLoop(context, configuration);
  const { connectExtenders } = await import('../extenders/index.js');
  const extenders = await connectExtenders(configuration.extenders, context.clock);
  const loop = createSchedulerLoop(context, configuration, extenders.all);
  return {
    run: async (signal) => {
      await using _ = extenders;
      await loop.run(signal);
    },
  };
}
