import type { Command } from 'commander';
import { kubeconfigOption, parseSwitch, textOption, valueOption } from './option-values.js';

/** The arguments of `binnacle scheduler`. */
export interface SchedulerRequest {
  /** Default: found like kubectl's. */
  readonly kubeconfig?: string;
  readonly leaderElect: boolean;
  /** File with a KubeSchedulerConfiguration. */
  readonly config?: string;
}

export function defineScheduler(program: Command, found: (request: SchedulerRequest) => void): void {
  program
    .command('scheduler')
    .description('run only the scheduler, against the server of a kubeconfig, until SIGTERM or SIGINT')
    .addOption(kubeconfigOption('server and user of the scheduler'))
    .addOption(
      textOption(
        '--config <FILE>',
        'file with a KubeSchedulerConfiguration v1 (default: one profile with the default plugins)',
      ),
    )
    .addOption(
      valueOption(
        '--leader-elect [BOOLEAN]',
        'run only while holding the Lease kube-system/kube-scheduler (default: true)',
        parseSwitch,
      ),
    )
    .action((given: Partial<SchedulerRequest>) => found({ leaderElect: true, ...given }));
}
