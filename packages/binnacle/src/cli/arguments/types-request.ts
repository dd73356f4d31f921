/** The arguments of `binnacle types`. */
export interface TypesRequest {
  /** YAML or JSON files; `-` is standard input. */
  readonly files: readonly string[];
  /** Also reads the definitions from a server: that of the current context, or of this one. */
  readonly server?: { readonly context?: string };
  /** The file to compare with the generated types. Undefined: print them. */
  readonly verify?: string;
}

export const typesDescription = 'print TypeScript types for CustomResourceDefinitions, read from files or a server';
export const fromServerDescription = 'read the definitions of the server that the kubeconfig names';
export const contextDescription = 'kubeconfig context for --from-server (default: the current one)';
export const verifyDescription = 'print nothing, and fail when FILE differs from what would be printed';
