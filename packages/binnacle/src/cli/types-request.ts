/** What `binnacle types` is to do. */
export interface TypesRequest {
  /** Files of YAML or JSON; `-` is standard input. */
  readonly files: readonly string[];
  /** The file that must hold just these types; undefined: print them. */
  readonly verify?: string;
}

export const typesDescription = 'write TypeScript types of the CustomResourceDefinitions in files to standard output';
export const verifyDescription = 'write nothing, and fail when FILE is not what would be written';
