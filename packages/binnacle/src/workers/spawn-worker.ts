import { type ChildProcess, fork } from 'node:child_process';
import { Socket } from 'node:net';
import { resolve } from 'node:path';
import { isSea } from 'node:sea';
import type { Duplex } from 'node:stream';
import type { PrimaryCalls, WorkerCalls } from './calls.js';
import { Channel, type Handlers } from './channel.js';
import type { WorkerProcess } from './worker-pool.js';

/** The first message of a worker. */
export const GREETING = 'ready for calls';
/** The descriptor of the stream to the store. Descriptor 3 is Node.js' own channel. */
export const STORE_FD = 4;

export interface SpawnOptions {
  /** The command of this program that runs a worker. */
  readonly command: string;
  /** Answers the calls of the worker. */
  readonly handlersFor: (worker: WorkerProcess) => Handlers<PrimaryCalls>;
  /** Gets the stream to the store. */
  readonly serveStore: (stream: Duplex) => void;
}

/** Starts a worker by this program. */
export function spawnWorker({ command, handlersFor, serveStore }: SpawnOptions): WorkerProcess {
  const [program, ...args] = isSea() ? [command] : [resolve(process.argv[1] ?? ''), command];
  const child = fork(program, args, {
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc', 'pipe'],
  });
  const stream = child.stdio[STORE_FD];
  if (!(stream instanceof Socket)) throw new Error('a worker has no stream to the store');
  serveStore(stream);
  return processOf(child, handlersFor);
}

function processOf(child: ChildProcess, handlersFor: SpawnOptions['handlersFor']): WorkerProcess {
  // Node.js drops a message for a process that does not listen yet, so the first ones wait for its greeting.
  let waiting: (() => void)[] | undefined = [];
  const send = (message: unknown, failed: (error: Error) => void, socket?: Socket): void => {
    const sendNow = (): void => {
      // Messages are objects.
      child.send(message as object, socket, undefined, (error) => {
        if (error instanceof Error) failed(error);
      });
    };
    if (waiting === undefined) sendNow();
    else waiting.push(sendNow);
  };
  const ended = new Promise<string>((done) => {
    const over = (how: string): void => {
      channel.close(new Error(`the worker has ended: ${how}`));
      done(how);
    };
    child.once('exit', (code, signal) => over(signal === null ? `exit code ${code ?? 0}` : `signal ${signal}`));
    child.on('error', (error) => {
      // It has not begun. Otherwise its end is what counts.
      if (child.pid === undefined) over(error.message);
    });
  });
  const worker: WorkerProcess = {
    pid: child.pid ?? 0,
    call: (name, argument, socket) => channel.call(name, argument, socket),
    ended,
    kill: () => child.kill('SIGKILL'),
  };
  const channel = new Channel<PrimaryCalls, WorkerCalls>({ send }, handlersFor(worker));
  child.on('message', (message: unknown) => {
    if (message !== GREETING) {
      channel.receive(message);
      return;
    }
    for (const sendNow of waiting ?? []) sendNow();
    waiting = undefined;
  });
  return worker;
}
