import { loadConfig } from '@binnacle/client/kubeconfig';
import { connect } from '@binnacle/client/transport';
import { runScheduler } from '@binnacle/scheduler/loop';
import type { SchedulerRequest } from './scheduler-request.js';
import { untilStopped } from './shutdown.js';

/** `binnacle scheduler`: resolves with the exit code when the scheduler has stopped. */
export async function scheduler({ kubeconfig, leaderElect }: SchedulerRequest): Promise<number> {
  const stopping = new AbortController();
  void untilStopped().then(() => stopping.abort(new Error('the scheduler is stopping')));
  try {
    const config = await loadConfig(kubeconfig === undefined ? {} : { path: kubeconfig });
    process.stdout.write(`Scheduling pods for ${config.server}\n`);
    await runScheduler(
      {
        connect: ({ userAgent }) => connect(config, { userAgent, onWarning: () => undefined }),
        report: (error, where) => complain(`${where}: ${messageOf(error)}`),
        leaderElection: leaderElect,
      },
      stopping.signal,
    );
    return 0;
  } catch (error) {
    complain(messageOf(error));
    return 1;
  }
}

function complain(text: string): void {
  process.stderr.write(`binnacle: ${text}\n`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
