/** What `binnacle types` is to do. */
export interface TypesRequest {
  /** Files of YAML or JSON; `-` is standard input. */
  readonly files: readonly string[];
  /** Read those of a server as well: the one of the kubeconfig's current context, or of this one. */
  readonly server?: { readonly context?: string };
  /** The file that must hold just these types; undefined: print them. */
  readonly verify?: string;
}

export const typesDescription =
  'write TypeScript types of CustomResourceDefinitions, out of files or of a server, to standard output';
export const fromServerDescription = 'take the definitions of the server that the kubeconfig names';
export const contextDescription = 'the context of the kubeconfig to take with --from-server (default: the current one)';
export const verifyDescription = 'write nothing, and fail when FILE is not what would be written';
