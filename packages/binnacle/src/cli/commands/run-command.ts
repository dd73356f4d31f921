import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { writePrivateFile } from '../../files/index.js';

/**
 * Runs a program with KUBECONFIG, and the input and output of this one. Resolves with its exit code, or as a shell does with 128 and
 * the number of the signal that ended it. Rejects if it cannot be started. When `signal` fires, the program gets SIGTERM.
 */
export async function runCommand(
  [program = '', ...args]: readonly string[],
  kubeconfig: string,
  signal?: AbortSignal,
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-fork-'));
  try {
    const path = join(folder, 'kubeconfig');
    await writePrivateFile(path, kubeconfig);
    return await new Promise((resolve, reject) => {
      const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, KUBECONFIG: path }, signal });
      child.on('error', (error) => {
        // A program that has started exits after the signal.
        if (child.pid === undefined) reject(error);
      });
      child.once('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
