import type { Command } from 'commander';
import { type Program, programs } from '../../envtest/index.js';
import { notEmpty } from './option-values.js';

/** The arguments of `binnacle envtest`. */
export type EnvtestRequest =
  | { readonly action: 'assets'; readonly directory?: string }
  | { readonly action: 'run'; readonly program: Program; readonly args: readonly string[] };

export const assetsDirectoryDefault = '$XDG_CACHE_HOME/binnacle/envtest, or ~/.cache/binnacle/envtest';

/** Returns the command, which needs one of its own commands. */
export function defineEnvtest(program: Command, found: (request: EnvtestRequest) => void): Command {
  const envtest = program
    .command('envtest')
    .description('run suites that use envtest on Binnacle, unmodified')
    .helpCommand('help [command]', 'show help');
  envtest
    .command('assets')
    .argument('[DIR]', `the folder to write (default: ${assetsDirectoryDefault})`, notEmpty('DIR'))
    .description(
      'write a folder for KUBEBUILDER_ASSETS, and print its path: programs kube-apiserver and etcd that are Binnacle, and a link to kubectl',
    )
    .action((directory: string | undefined) => {
      found({ action: 'assets', ...(directory === undefined ? {} : { directory }) });
    });
  for (const name of programs) {
    envtest
      .command(`${name} [ARGUMENT...]`)
      .description(`what the ${name} of this folder runs`)
      .action((args: readonly string[]) => found({ action: 'run', program: name, args }));
  }
  return envtest;
}
