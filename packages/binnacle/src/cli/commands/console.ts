import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { systemClock } from '@binnacle/apimachinery/clock';
import { type ClientConfig, loadConfig } from '@binnacle/client/kubeconfig';
import { connect, type Transport } from '@binnacle/client/transport';
import { type ConsoleOptions, type RunningConsole, startConsole } from '@binnacle/console/server';
import { writePrivateFile } from '../../files/index.js';
import { ForksClient, startFork } from '../../history/index.js';
import type { ConsoleRequest } from '../arguments/console-request.js';
import { untilStopped } from './shutdown.js';
import { surviveUnwritableOutput } from './unwritable-output.js';
import { printFailure } from './print-message.js';

/** `binnacle console`: resolves with the exit code when the console has stopped. */
export async function consoleCommand({ kubeconfig, context, port }: ConsoleRequest): Promise<number> {
  surviveUnwritableOutput();
  const stopRequested = untilStopped();
  try {
    const config = await loadConfig({
      ...(kubeconfig === undefined ? {} : { path: kubeconfig }),
      ...(context === undefined ? {} : { context }),
    });
    await serveConsole(config, stopRequested, port);
    return 0;
  } catch (error) {
    printFailure(error);
    return 1;
  }
}

/** Prints a link, and serves the console until `stopRequested` resolves. Rejects when the server cannot be reached. */
export async function serveConsole(config: ClientConfig, stopRequested: Promise<void>, port?: number): Promise<void> {
  await using transport = connect(config, { userAgent: 'binnacle-console', onWarning: () => undefined });
  const { server } = config;
  const options = { transport, server, clock: systemClock, startFork: forkStarter(transport) };
  const starting = startConsole({ ...options, ...(port === undefined ? {} : { port }) });
  const running = await Promise.race([starting, stopRequested]);
  if (running === undefined) return;
  process.stdout.write(consoleAnnouncement(server, running.newLink()));
  using _ = offerLinks(running);
  await stopRequested;
  await running.stop();
}

/** Like `binnacle fork`: the kubeconfig goes to a file in this folder, and never to the page. */
export function forkStarter(
  transport: Transport,
  writeFile = writePrivateFile,
): NonNullable<ConsoleOptions['startFork']> {
  return async (version) => {
    const client = new ForksClient(transport);
    const { fork, path } = await startFork(client, { at: version }, writeFile);
    return { name: fork.name, url: fork.url, kubeconfig: resolve(path) };
  };
}

/** Two lines: whose console it is, and the link. */
function consoleAnnouncement(server: string, link: string): string {
  return `Console for ${server}. The link opens it once; press Enter for another one:\n${link}\n`;
}

/** Prints a new link for each line of standard input, if that is a terminal. */
function offerLinks(running: RunningConsole): Disposable {
  if (!process.stdin.isTTY) return { [Symbol.dispose]: () => undefined };
  const lines = createInterface({ input: process.stdin });
  lines.on('line', () => process.stdout.write(`${running.newLink()}\n`));
  return { [Symbol.dispose]: () => lines.close() };
}
