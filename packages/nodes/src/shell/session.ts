import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '@binnacle/apimachinery/clock';
import type { Pace } from '@binnacle/apimachinery/work';
import type { Network } from './network.js';
import type { FileTree } from './file-tree.js';
import type { Variables } from './variables.js';

/** The container in which commands run. Commands change its files. */
export interface Container {
  readonly hostname: string;
  readonly environment: ReadonlyMap<string, string>;
  readonly workingDirectory: string;
  readonly files: FileTree;
  readonly network: Network;
}

/** The streams of a client, as a command sees them. */
export interface Streams {
  readonly stdin: AsyncIterable<Buffer>;
  /** Resolves when the client takes more. */
  readonly stdout: (bytes: Buffer) => Promise<void>;
  readonly stderr: (bytes: Buffer) => Promise<void>;
  /** A person types: `sh` writes a prompt before each line. */
  readonly isTerminal: boolean;
}

/** The state of a shell, which `cd` and `export` change. */
export interface Session {
  readonly container: Container;
  readonly environment: Variables;
  directory: string;
  lastCode: number;
  /** How many shells run within one another. */
  shells: number;
  /** Counts the writes of all commands. */
  readonly pace: Pace;
  readonly clock: Clock;
  /** Fires when the client has gone. */
  readonly signal: AbortSignal;
}

/** Lets other work of the process run. Rejects when the client has gone. */
export async function turn({ signal }: Session): Promise<void> {
  await nextTurn();
  signal.throwIfAborted();
}

/** A running command. */
export interface Run extends Streams {
  readonly session: Session;
  /** The words after the name. */
  readonly words: readonly string[];
  /** Writes a line of text. */
  readonly say: (text: string) => Promise<void>;
  /** Writes `NAME: TEXT` to the second stream, and resolves to the exit code 1. */
  readonly fail: (text: string) => Promise<number>;
}

/** Resolves to the exit code. */
export type Command = (run: Run) => Promise<number> | number;

/** Ends the shell with a code. */
export class Exit extends Error {
  override readonly name = 'Exit';
  readonly code: number;

  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}
