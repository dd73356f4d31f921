/** What a container reaches by names. */
export interface Network {
  /** The full name and the addresses; undefined: the name is unknown. */
  lookUp(name: string, signal: AbortSignal): Promise<Found | undefined>;
  /** The answer to a GET; undefined: nothing listens there. The name is known. */
  get(name: string, port: number, path: string, signal: AbortSignal): Promise<string | undefined>;
}

export interface Found {
  readonly name: string;
  readonly addresses: readonly string[];
}

/** The network of a container that knows no names. */
export const noNetwork: Network = { lookUp: async () => undefined, get: async () => undefined };
