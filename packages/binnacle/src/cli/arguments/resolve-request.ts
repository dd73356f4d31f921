import { type Command, Option } from 'commander';
import { invalid, kubeconfigOption, textOption } from './option-values.js';

/** The arguments of `binnacle resolve`. */
export interface ResolveRequest {
  readonly service: string;
  /** A port of the service, by name or number. Undefined: all. */
  readonly port?: string;
  /** Default: the namespace of the kubeconfig's context. */
  readonly namespace?: string;
  /** Default: found like kubectl's. */
  readonly kubeconfig?: string;
  /** Default: a line for each endpoint. */
  readonly output?: 'json';
}

const TARGET = 'svc/NAME or svc/NAME:PORT, with a port of the service by name or number';

export function defineResolve(program: Command, found: (request: ResolveRequest) => void): void {
  program
    .command('resolve <TARGET>')
    .description(`print the ready endpoints of a service, one ADDRESS:PORT a line; TARGET is ${TARGET}`)
    .addOption(
      textOption(
        '-n, --namespace <NAMESPACE>',
        "the namespace of the service (default: that of the kubeconfig's current context)",
      ),
    )
    .addOption(kubeconfigOption('server and user'))
    .addOption(new Option('-o, --output <FORMAT>', 'json prints a list of strings instead of lines').choices(['json']))
    .action((text: string, given: Omit<ResolveRequest, 'service' | 'port'>) => {
      const target = parseTarget(text);
      if (target === undefined) throw invalid(`${JSON.stringify(text)} is not ${TARGET}`);
      found({ ...target, ...given });
    });
}

/** Undefined if the text is not a target. */
export function parseTarget(text: string): Pick<ResolveRequest, 'service' | 'port'> | undefined {
  const [, service, port] = /^(?:svc|service|services)\/([a-z0-9]+(?:-[a-z0-9]+)*)(?::([a-z0-9-]+))?$/.exec(text) ?? [];
  if (service === undefined) return undefined;
  return { service, ...(port === undefined ? {} : { port }) };
}
