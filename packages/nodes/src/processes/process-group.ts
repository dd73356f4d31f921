import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { constants } from 'node:os';
import { messageOf } from '@binnacle/apimachinery/errors';
import { findProgram } from './find-program.js';
import { Reaper } from './reaper.js';
import type { ProcessSystem } from './system.js';

/** What runs, and where. */
export interface ProcessSpec {
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** All variables: none of this process is added. */
  readonly environment: Readonly<Record<string, string>>;
  readonly directory: string;
  /** Whether it has an input. */
  readonly hasInput: boolean;
}

/**
 * Starts a program in a process group of its own, which ends with this process. Resolves with the problem if it cannot be
 * started.
 */
export async function startGroup(
  { command: [name = '', ...args], environment, directory, hasInput }: ProcessSpec,
  reaper: Reaper,
): Promise<{ readonly child: ChildProcess } | { readonly problem: string }> {
  const program = await findProgram(name, { environment, directory });
  if ('problem' in program) return program;
  const [shell, given] = Reaper.wrapped([program.path, ...args]);
  const options: SpawnOptions = {
    cwd: directory,
    env: environment,
    detached: true,
    stdio: [hasInput ? 'pipe' : 'ignore', 'pipe', 'pipe', reaper.pipe],
  };
  try {
    const child = reaper.system.spawn(shell, given, options);
    await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
    return { child };
  } catch (error) {
    // Node.js throws for zero bytes, and for more text than the system takes.
    return { problem: messageOf(error) };
  }
}

/** The code of a program, as a shell reports it, once it has ended. */
export function exitCodeOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    const done = (code: number | null, signal: NodeJS.Signals | null): void =>
      resolve(code ?? 128 + (signal === null ? 0 : (constants.signals[signal] ?? 0)));
    if (child.exitCode !== null || child.signalCode !== null) done(child.exitCode, child.signalCode);
    else child.once('exit', done);
  });
}

/** Sends a signal to a process, or to its whole group. Nothing happens if it has ended. */
export function sendSignal(
  { kill }: ProcessSystem,
  { pid }: ChildProcess,
  signal: NodeJS.Signals,
  to: 'process' | 'group',
): void {
  if (pid === undefined) return;
  try {
    kill(to === 'group' ? -pid : pid, signal);
  } catch {
    // It has ended.
  }
}
