import { feedInput } from '../processes/index.js';
import { Terminal } from '../shell/index.js';
import type { Ending } from '../shell/index.js';
import { attachToLog } from './attach.js';
import type { LogParts } from './log-pieces.js';
import type { FoundRun } from './process-access.js';
import type { RemoteCommand } from './remote-command.js';
import type { RemoteStreams } from './remote-streams.js';
import { TerminalInput } from './terminal-input.js';

/** The code of a program that `^C` has ended. */
const INTERRUPTED = 130;

/** Runs a command as a process, in the surroundings of a container. There is no terminal: `tty` echoes lines, and the program sees pipes. */
export async function runProcessCommand(
  { command, tty }: RemoteCommand,
  streams: RemoteStreams,
  { pod, run }: FoundRun,
): Promise<Ending> {
  const interrupted = new AbortController();
  const show = (bytes: Buffer): Promise<void> => streams.stdout(Terminal.show(bytes));
  const given = tty
    ? {
        stdin: new TerminalInput(
          streams.stdin,
          streams.stdout,
          () => interrupted.abort(new Error('interrupted')),
          false,
        ),
        stdout: show,
        stderr: show,
      }
    : streams;
  const signal = AbortSignal.any([interrupted.signal, streams.gone]);
  const ending = await pod.run(run, command, given, signal);
  streams.gone.throwIfAborted();
  return interrupted.signal.aborted ? { code: INTERRUPTED } : ending;
}

/** Writes what a client sends to the input of a process, and shows the client its output. */
export async function attachToProcess(
  given: Pick<RemoteCommand, 'pod' | 'container'>,
  streams: RemoteStreams,
  { run }: FoundRun,
  parts: LogParts,
): Promise<Ending> {
  const { input } = run.process;
  if (given.container.stdin === true && input !== undefined) {
    void feedInput(streams.stdin, input, given.container.stdinOnce === true);
  }
  return attachToLog(given.pod, given.container, streams, parts);
}
