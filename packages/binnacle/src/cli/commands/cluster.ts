import { resolve } from 'node:path';
import { isSea } from 'node:sea';
import { systemClock } from '@binnacle/apimachinery/clock';
import { messageOf } from '@binnacle/apimachinery/errors';
import { clustersDirectory, kubeconfigPaths, runCluster } from '../../clusters/index.js';
import type { ClusterRequest } from '../../clusters/requests/index.js';
import { describeFileError } from '../../files/index.js';
import { printMessage } from './print-message.js';
import { untilStopped } from './shutdown.js';

/** `binnacle cluster`: resolves with the exit code. */
export async function cluster(request: ClusterRequest): Promise<number> {
  // A reader such as head may end first; the work continues.
  process.stdout.on('error', () => undefined);
  const interrupted = new AbortController();
  if (request.action === 'create' || request.action === 'start') {
    void untilStopped().then(() => interrupted.abort(new Error('the command is interrupted')));
  }
  try {
    await runCluster(request, {
      directory: clustersDirectory(process.env),
      // The single executable is its own interpreter.
      program: isSea() ? [process.execPath] : [process.execPath, resolve(process.argv[1] ?? '')],
      kubeconfigs: kubeconfigPaths(process.env),
      print: (text) => void process.stdout.write(text),
      clock: systemClock,
      signal: interrupted.signal,
    });
    return 0;
  } catch (error) {
    printMessage(sentence(error));
    return 1;
  }
}

function sentence(error: unknown): string {
  const file = describeFileError(error);
  if (file !== undefined && error instanceof Error && 'path' in error) return `${String(error.path)}: ${file}`;
  return messageOf(error);
}
