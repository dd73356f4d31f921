import type { DiscoveryClient } from '@binnacle/client/discovery';
import type { Transport } from '@binnacle/client/transport';

export interface HistoryParts {
  readonly transport: Transport;
  readonly discovery: DiscoveryClient;
  /** Of the kubeconfig's context. */
  readonly namespace: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Receives text to print. Resolves when more may come. */
  readonly print: (text: string) => void | Promise<void>;
  /** Writes a file that only its owner can read. */
  readonly writeFile: (path: string, text: string) => Promise<void>;
  /** Runs a program with a kubeconfig. Resolves with its exit code. */
  readonly runCommand: (command: readonly string[], kubeconfig: string) => Promise<number>;
  readonly signal?: AbortSignal | undefined;
}
