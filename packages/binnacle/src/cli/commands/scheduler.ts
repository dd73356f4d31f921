import { messageOf } from '@binnacle/apimachinery/errors';
import { loadConfig } from '@binnacle/client/kubeconfig';
import { connect } from '@binnacle/client/transport';
import { readSchedulerConfiguration, type SchedulerConfiguration } from '@binnacle/scheduler/config';
import { runScheduler } from '@binnacle/scheduler/loop';
import { readFile } from 'node:fs/promises';
import { describeFileError } from '../../files/index.js';
import type { SchedulerRequest } from '../arguments/scheduler-request.js';
import { printFailure, printMessage } from './print-message.js';
import { untilStopped } from './shutdown.js';
import { surviveUnwritableOutput } from './unwritable-output.js';

/** `binnacle scheduler`: resolves with the exit code when the scheduler has stopped. */
export async function scheduler({ kubeconfig, leaderElect, config: file }: SchedulerRequest): Promise<number> {
  surviveUnwritableOutput();
  const stopping = new AbortController();
  void untilStopped().then(() => stopping.abort(new Error('the scheduler is stopping')));
  try {
    const configuration = file === undefined ? undefined : await readConfigurationFile(file);
    const config = await loadConfig(kubeconfig === undefined ? {} : { path: kubeconfig });
    process.stdout.write(`Scheduling pods for ${config.server}\n`);
    await runScheduler(
      {
        connect: ({ userAgent }) => connect(config, { userAgent, onWarning: () => undefined }),
        report: (error, where) => printMessage(`${where}: ${messageOf(error)}`),
        leaderElection: leaderElect,
        configuration,
      },
      stopping.signal,
    );
    return 0;
  } catch (error) {
    printFailure(error);
    return 1;
  }
}

async function readConfigurationFile(path: string): Promise<SchedulerConfiguration> {
  try {
    const { configuration, warnings } = readSchedulerConfiguration(await readFile(path, 'utf8'));
    for (const warning of warnings) printMessage(`--config: ${warning}`);
    return configuration;
  } catch (error) {
    throw new Error(`--config ${path}: ${describeFileError(error) ?? messageOf(error)}`, { cause: error });
  }
}
