import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isSea } from 'node:sea';
import { systemClock } from '@binnacle/apimachinery/clock';
import { findProgram } from '@binnacle/nodes/processes';
import {
  dataDirectoryOf,
  readEtcdArguments,
  serveArguments,
  serveEtcd,
  storeUrl,
  watchParent,
  writeAssets,
} from '../../envtest/index.js';
import { baseDirectory } from '../../files/index.js';
import { parseCommandLine } from '../arguments/command-line.js';
import type { EnvtestRequest } from '../arguments/envtest-request.js';
import { printFailure } from './print-message.js';
import { serve } from './serve.js';
import { untilStopped } from './shutdown.js';
import { surviveUnwritableOutput } from './unwritable-output.js';

/** `binnacle envtest`: resolves with the exit code. */
export async function envtest(request: EnvtestRequest): Promise<number> {
  try {
    if (request.action === 'assets') return await assets(request.directory);
    // The process that runs the tests may be killed.
    watchParent(
      systemClock,
      () => process.ppid,
      () => process.kill(process.pid, 'SIGTERM'),
    );
    return request.program === 'etcd' ? await etcd(request.args) : await apiserver(request.args);
  } catch (error) {
    printFailure(error);
    return 1;
  }
}

async function assets(given: string | undefined): Promise<number> {
  const directory = resolve(given ?? join(baseDirectory('cache', process.env), 'binnacle', 'envtest'));
  const environment = { PATH: process.env['PATH'] ?? '' };
  const kubectl = await findProgram('kubectl', { environment, directory: process.cwd() });
  // The single executable is its own interpreter.
  const command = isSea() ? [process.execPath] : [process.execPath, resolve(process.argv[1] ?? '')];
  await writeAssets(directory, command, 'path' in kubectl ? kubectl.path : undefined);
  process.stdout.write(`${directory}\n`);
  return 0;
}

async function etcd(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write('Usage: etcd --data-dir DIR --listen-client-urls URL\n');
    return 0;
  }
  surviveUnwritableOutput();
  const stopped = untilStopped();
  const server = await serveEtcd(readEtcdArguments(args));
  await stopped;
  server.closeAllConnections();
  server.close();
  return 0;
}

async function apiserver(args: readonly string[]): Promise<number> {
  const store = storeUrl(args);
  const dataDirectory = store === undefined ? undefined : await dataDirectoryOf(store, systemClock);
  const parsed = parseCommandLine(serveArguments(args, { dataDirectory, exists: existsSync }));
  if (parsed.command === 'serve') return serve(parsed.options);
  if (parsed.command !== 'help' && parsed.command !== 'wrong') throw new Error('kube-apiserver takes flags alone');
  (parsed.command === 'help' ? process.stdout : process.stderr).write(parsed.text);
  return parsed.command === 'help' ? 0 : 2;
}
