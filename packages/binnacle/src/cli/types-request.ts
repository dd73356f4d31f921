/** What `binnacle types` does. */
export interface TypesRequest {
  /** Files of YAML or JSON; `-` is standard input. */
  readonly files: readonly string[];
  /** Also read the definitions of a server: the kubeconfig's current context, or this one. */
  readonly server?: { readonly context?: string };
  /** The file that must hold exactly these types; undefined: print them. */
  readonly verify?: string;
}

export const typesDescription = 'print TypeScript types for CustomResourceDefinitions, read from files or a server';
export const fromServerDescription = 'read the definitions of the server that the kubeconfig names';
export const contextDescription = 'kubeconfig context for --from-server (default: the current one)';
export const verifyDescription = 'print nothing, and fail when FILE differs from what would be printed';
