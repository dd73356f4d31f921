import { type Command, Option } from 'commander';
import type { ServerChoice } from '../../history/requests/index.js';
import type { ImportRequest } from '../../transfer/requests/index.js';
import { contextOption, invalid, kubeconfigOption, notEmpty, textOption } from './option-values.js';

interface Values {
  readonly fromKubeconfig?: string;
  readonly fromContext?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly secrets?: true;
  readonly overwrite?: true;
  readonly dryRun?: 'server';
  readonly output?: 'json';
}

export function defineImport(program: Command, found: (request: ImportRequest) => void): void {
  program
    .command('import [PATH...]')
    .description(
      'create the objects of another server, or of files, on the server of a kubeconfig; PATH is a manifest, a folder, a snapshot of etcd or a data directory; leaves out what a server makes itself',
    )
    .addOption(textOption('--from-kubeconfig <FILE>', 'read the objects of the server of this kubeconfig'))
    .addOption(textOption('--from-context <NAME>', 'read the objects of the server of this context'))
    .addOption(kubeconfigOption('server to create the objects on, and its user'))
    .addOption(contextOption())
    .option('--secrets', 'create Secrets too')
    .option('--overwrite', 'replace objects that exist (default: leave them as they are)')
    .addOption(
      new Option('--dry-run <MODE>', 'server: let the server check the objects, and store none').choices(['server']),
    )
    .addOption(new Option('-o, --output <FORMAT>', 'json prints the report as an object').choices(['json']))
    .action((paths: readonly string[], values: Values) => found(toRequest(paths, values)));
}

function toRequest(given: readonly string[], values: Values): ImportRequest {
  const { fromKubeconfig, fromContext, kubeconfig, context, secrets, overwrite, dryRun, output } = values;
  const paths = given.map(notEmpty('PATH'));
  const fromServer = fromKubeconfig !== undefined || fromContext !== undefined;
  if (paths.length === 0 && !fromServer) throw invalid('no PATH, --from-kubeconfig or --from-context is given');
  if (paths.length > 0 && fromServer) throw invalid('PATH excludes --from-kubeconfig and --from-context');
  return {
    from: fromServer ? { server: choice(fromKubeconfig, fromContext) } : { paths },
    to: choice(kubeconfig, context),
    withSecrets: secrets === true,
    overwrite: overwrite === true,
    dryRun: dryRun !== undefined,
    ...(output === undefined ? {} : { output }),
  };
}

const choice = (kubeconfig: string | undefined, context: string | undefined): ServerChoice => ({
  ...(kubeconfig === undefined ? {} : { kubeconfig }),
  ...(context === undefined ? {} : { context }),
});
