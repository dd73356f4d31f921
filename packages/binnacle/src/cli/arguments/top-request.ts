import { type Command, Option } from 'commander';

/** The arguments of `binnacle top`. */
export interface TopRequest {
  /** Default: found like kubectl's. */
  readonly kubeconfig?: string;
  /** Default: the kubeconfig's current context. */
  readonly context?: string;
  /** Print one screen and end. */
  readonly once?: boolean;
}

export const topDescription =
  'show what a server does, in the terminal: changes, slow requests, watches, and the queues of control loops';

/** The command line and the documentation both use this table. */
export const topOptions = [
  {
    flags: '--kubeconfig <FILE>',
    description: "server and user (default: KUBECONFIG, ~/.kube/config, or the pod's service account)",
  },
  { flags: '--context <NAME>', description: 'a context of the kubeconfig (default: the current one)' },
  { flags: '--once', description: 'print one screen and end, as when the output is no terminal' },
] as const;

/** `invalid`: makes the error for a wrong argument. */
export function defineTop(
  command: Command,
  found: (request: TopRequest) => void,
  invalid: (message: string) => Error,
): void {
  command.description(topDescription);
  for (const { flags, description } of topOptions) command.addOption(new Option(flags, description));
  command.action((given: TopRequest) => {
    if (given.kubeconfig === '') throw invalid('FILE is empty');
    if (given.context === '') throw invalid('NAME is empty');
    found(given);
  });
}
