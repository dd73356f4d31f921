import { type Command, Option } from 'commander';
import { MOST_NODES } from '@binnacle/nodes/node/limits';
import { type ClusterRequest, isClusterName } from '../../clusters/requests/index.js';
import { invalid, parseMilliseconds, parseNumber, textOption, valueOption } from './option-values.js';

const DEFAULT_WAIT_MS = 60_000;

/** Options of kind that have no meaning here, and why. */
const missingOptions = [
  ['image', 'nodes are simulated, and run no image; binnacle version prints the version of Kubernetes'],
  ['config', 'give the number of nodes with --nodes'],
  ['name', 'give the name as the argument'],
  ['retain', 'the log of a failed start is in the error'],
] as const;

const actions = [
  ['create', '<NAME>', 'start a server in the background with a data folder of its own, and switch kubectl to it'],
  ['list', '', 'list the clusters'],
  ['kubeconfig', '<NAME>', 'print the kubeconfig of a cluster'],
  ['stop', '<NAME>', 'stop the server of a cluster, and keep its objects'],
  ['start', '<NAME>', 'start the server of a stopped cluster again, such as after a reboot'],
  ['delete', '<NAME>', 'stop the server of a cluster, and delete its objects and its context'],
] as const;

type Action = (typeof actions)[number][0];

interface Values {
  readonly nodes?: number;
  readonly wait?: number;
  readonly kubeconfig?: string;
  readonly output?: 'json' | 'name';
}

/** Returns the command. It needs a subcommand. */
export function defineCluster(program: Command, found: (request: ClusterRequest) => void): Command {
  const cluster = program
    .command('cluster')
    .description('create, list and delete named clusters of this machine, whose servers run in the background')
    .helpCommand('help [command]', 'show help');
  for (const [action, takes, description] of actions) {
    const command = cluster.command(`${action} ${takes}`.trim()).description(description);
    addOptions(command, action);
    command.action(() => {
      const [name = ''] = command.args;
      if (takes !== '' && !isClusterName(name)) {
        throw invalid(
          `${JSON.stringify(name)} is not a name: give up to 50 of a-z, 0-9, - and ., with a letter or digit first`,
        );
      }
      found(toRequest(action, name, command.opts<Values>()));
    });
  }
  return cluster;
}

function addOptions(command: Command, action: Action): void {
  if (action === 'create') {
    command.addOption(
      valueOption('--nodes <NUMBER>', `the number of simulated nodes, at most ${MOST_NODES} (default: 1)`, parseNumber),
    );
  }
  if (action === 'create' || action === 'start') {
    command.addOption(
      valueOption(
        '--wait <DURATION>',
        'how long the server and its nodes may take to be ready (default: 60s)',
        parseMilliseconds,
      ),
    );
  }
  if (action === 'create' || action === 'start' || action === 'delete') {
    const use = action === 'delete' ? 'remove the context from' : 'add the context to';
    command.addOption(textOption('--kubeconfig <FILE>', `the file to ${use} (default: KUBECONFIG, or ~/.kube/config)`));
    for (const [name, why] of missingOptions) {
      const refuse = () => {
        throw invalid(`--${name} is not supported: ${why}`);
      };
      command.addOption(new Option(`--${name} [VALUE]`).hideHelp().preset('').argParser(refuse));
    }
  }
  if (action === 'list') {
    command.addOption(new Option('-o, --output <FORMAT>', 'json or name (default: a table)').choices(['json', 'name']));
  }
}

function toRequest(
  action: Action,
  name: string,
  { nodes = 1, wait = DEFAULT_WAIT_MS, kubeconfig, output }: Values,
): ClusterRequest {
  const file = kubeconfig === undefined ? {} : { kubeconfig };
  switch (action) {
    case 'create':
      if (nodes > MOST_NODES) throw invalid(`--nodes must be at most ${MOST_NODES}`);
      return { action, name, nodes, waitMs: wait, ...file };
    case 'start':
      return { action, name, waitMs: wait, ...file };
    case 'delete':
      return { action, name, ...file };
    case 'list':
      return { action, ...(output === undefined ? {} : { output }) };
    case 'stop':
    case 'kubeconfig':
      return { action, name };
  }
}
