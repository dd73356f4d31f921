import type { Command } from 'commander';
import { contextOption, kubeconfigOption } from './option-values.js';

/** The arguments of `binnacle top`. */
export interface TopRequest {
  /** Default: found like kubectl's. */
  readonly kubeconfig?: string;
  /** Default: the kubeconfig's current context. */
  readonly context?: string;
  /** Print one screen and end. */
  readonly once?: boolean;
}

export function defineTop(program: Command, found: (request: TopRequest) => void): void {
  program
    .command('top')
    .description(
      'show what a server does, in the terminal: changes, slow requests, watches, and the queues of control loops',
    )
    .addOption(kubeconfigOption('server and user'))
    .addOption(contextOption())
    .option('--once', 'print one screen and end, as when the output is not a terminal')
    .action((given: TopRequest) => found(given));
}
