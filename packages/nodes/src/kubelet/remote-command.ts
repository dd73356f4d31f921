import type { Clock } from '@binnacle/apimachinery/clock';
import type { Container, Pod } from '@binnacle/client/kinds/core/v1';
import { type Ending, runProgram, Terminal } from '../shell/index.js';
import type { ContainerStates } from './container-states.js';
import type { RemoteStreams } from './remote-streams.js';
import { TerminalInput } from './terminal-input.js';

export interface RemoteCommand {
  readonly pod: Pod;
  readonly container: Container;
  readonly command: readonly string[];
  readonly tty: boolean;
}

/** The code of a program that `^C` has ended. */
const INTERRUPTED = 130;

/** Runs a command for a client. Rejects only if the client goes away. */
export async function runRemoteCommand(
  { pod, container, command, tty }: RemoteCommand,
  streams: RemoteStreams,
  { states, clock }: { readonly states: ContainerStates; readonly clock: Clock },
): Promise<Ending> {
  const interrupted = new AbortController();
  const show = (bytes: Buffer): Promise<void> => streams.stdout(Terminal.show(bytes));
  const given = tty
    ? {
        stdin: new TerminalInput(streams.stdin, streams.stdout, () => interrupted.abort(new Error('interrupted'))),
        stdout: show,
        stderr: show,
        isTerminal: true,
      }
    : { stdin: streams.stdin, stdout: streams.stdout, stderr: streams.stderr, isTerminal: false };
  const signal = AbortSignal.any([interrupted.signal, streams.gone]);
  try {
    return await runProgram(command, states.of(pod, container), given, { clock, signal });
  } catch (error) {
    if (interrupted.signal.aborted) return { code: INTERRUPTED };
    throw error;
  }
}
