import { setMaxListeners } from 'node:events';
import { onAbort } from '@binnacle/apimachinery/clock';
import { feedInput } from './feed-input.js';
import { exitCodeOf, type ProcessSpec, sendSignal, startGroup } from './process-group.js';
import type { Reaper } from './reaper.js';

/** Where the input of a command comes from, and its outputs go. A writer that waits makes the command wait. */
export interface CommandStreams {
  /** Undefined: the command has no input. */
  readonly stdin: AsyncIterable<Buffer> | undefined;
  readonly stdout: (bytes: Buffer) => Promise<void>;
  readonly stderr: (bytes: Buffer) => Promise<void>;
}

/** Runs a command until it ends. The signal kills it. The problem: it could not be started. */
export async function runCommand(
  spec: Omit<ProcessSpec, 'hasInput'>,
  { stdin, stdout, stderr }: CommandStreams,
  { reaper, signal }: { readonly reaper: Reaper; readonly signal: AbortSignal },
): Promise<{ readonly code: number } | { readonly problem: string }> {
  const started = await startGroup({ ...spec, hasInput: stdin !== undefined }, reaper);
  if ('problem' in started) return started;
  const { child } = started;
  child.stdin?.on('error', () => undefined);
  setMaxListeners(0, signal);
  const kill = (): void => sendSignal(reaper.system, child, 'SIGKILL', 'group');
  using _ = onAbort(signal, kill);
  if (signal.aborted) kill();
  if (child.stdin !== null && stdin !== undefined) void feedInput(stdin, child.stdin, true);
  const outputs = Promise.all([drain(child.stdout, stdout), drain(child.stderr, stderr)]).catch(kill);
  const code = await exitCodeOf(child);
  // What it has left in the background ends too.
  kill();
  reaper.remove(child.pid ?? 0);
  await outputs;
  return { code };
}

async function drain(stream: NodeJS.ReadableStream | null, write: (bytes: Buffer) => Promise<void>): Promise<void> {
  for await (const bytes of stream ?? []) await write(Buffer.from(bytes));
}
