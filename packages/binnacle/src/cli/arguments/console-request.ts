import type { Command } from 'commander';
import { Option } from 'commander';

/** The arguments of `binnacle console`. */
export interface ConsoleRequest {
  /** Default: found like kubectl's. */
  readonly kubeconfig?: string;
  /** Default: the kubeconfig's current context. */
  readonly context?: string;
  /** Default: any free port. */
  readonly port?: number;
}

export const consoleDescription =
  'serve a console for the browser on this machine, for the server of a kubeconfig, until SIGTERM or SIGINT';

/** An option of `binnacle serve`, which starts the console beside the server. */
export const serveConsoleOption = {
  name: 'console',
  default: 'false',
  description: 'serve a console for the browser on this machine, and print a link that opens it once',
} as const;

/** The command line and the documentation both use this table. */
export const consoleOptions = [
  {
    flags: '--kubeconfig <FILE>',
    description: "server and user (default: KUBECONFIG, ~/.kube/config, or the pod's service account)",
  },
  { flags: '--context <NAME>', description: 'a context of the kubeconfig (default: the current one)' },
  { flags: '--port <PORT>', description: 'the port on 127.0.0.1 (default: any free one)' },
] as const;

/** `parsePort`: reads the value of an option; throws for a wrong one. `invalid`: makes the error for a wrong argument. */
export function defineConsole(
  command: Command,
  found: (request: ConsoleRequest) => void,
  { parsePort, invalid }: { parsePort: (text: string) => number; invalid: (message: string) => Error },
): void {
  command.description(consoleDescription);
  for (const { flags, description } of consoleOptions) {
    const option = new Option(flags, description);
    command.addOption(flags.startsWith('--port') ? option.argParser(parsePort) : option);
  }
  command.action((given: ConsoleRequest) => {
    if (given.kubeconfig === '') throw invalid('FILE is empty');
    if (given.context === '') throw invalid('NAME is empty');
    found(given);
  });
}
