import type { Command } from 'commander';
import { invalid, notEmpty, textOption } from './option-values.js';

/** The arguments of `binnacle types`. */
export interface TypesRequest {
  /** YAML or JSON files; `-` is standard input. */
  readonly files: readonly string[];
  /** Also reads the definitions from a server: that of the current context, or of this one. */
  readonly server?: { readonly context?: string };
  /** The file to compare with the generated types. Undefined: print them. */
  readonly verify?: string;
}

interface Values {
  readonly fromServer?: true;
  readonly context?: string;
  readonly verify?: string;
}

export function defineTypes(program: Command, found: (request: TypesRequest) => void): void {
  program
    .command('types [FILE...]')
    .description('print TypeScript types for CustomResourceDefinitions, read from files or a server')
    .option('--from-server', 'read the definitions of the server that the kubeconfig names')
    .addOption(textOption('--context <NAME>', 'kubeconfig context for --from-server (default: the current one)'))
    .addOption(textOption('--verify <FILE>', 'print nothing, and fail when FILE differs from what would be printed'))
    .action((files: readonly string[], values: Values) => found(toRequest(files, values)));
}

function toRequest(given: readonly string[], { fromServer, context, verify }: Values): TypesRequest {
  const files = given.map(notEmpty('FILE'));
  if (files.length === 0 && fromServer === undefined) throw invalid('neither FILE nor --from-server is given');
  if (context !== undefined && fromServer === undefined) throw invalid('--context is given without --from-server');
  return {
    files,
    ...(fromServer === undefined ? {} : { server: context === undefined ? {} : { context } }),
    ...(verify === undefined ? {} : { verify }),
  };
}
