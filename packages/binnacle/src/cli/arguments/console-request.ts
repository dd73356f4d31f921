import type { Command } from 'commander';
import { contextOption, kubeconfigOption, parsePort, valueOption } from './option-values.js';

/** The arguments of `binnacle console`. */
export interface ConsoleRequest {
  /** Default: found like kubectl's. */
  readonly kubeconfig?: string;
  /** Default: the kubeconfig's current context. */
  readonly context?: string;
  /** Default: any free port. */
  readonly port?: number;
}

export function defineConsole(program: Command, found: (request: ConsoleRequest) => void): void {
  program
    .command('console')
    .description(
      'serve a console for the browser on this machine, for the server of a kubeconfig, until SIGTERM or SIGINT',
    )
    .addOption(kubeconfigOption('server and user'))
    .addOption(contextOption())
    .addOption(valueOption('--port <PORT>', 'the port on 127.0.0.1 (default: any free one)', parsePort))
    .action(found);
}
