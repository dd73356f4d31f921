import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '@binnacle/kv/directories';
import { lockFile } from '@binnacle/kv/locks';

/**
 * Keeps other commands from changing a cluster, which need not exist, until it is disposed of or the process ends. Rejects with an Error for
 * people if another command changes it now. The lock is beside the folder, so that it outlives it.
 */
export async function lockCluster(directory: string, name: string): Promise<Disposable> {
  makeDirectory(directory);
  const file = join(directory, `.${name}.lock`);
  const lock = await lockFile(file);
  if (lock === undefined) {
    throw new Error(`another command is changing cluster ${name}; try again when it has ended`);
  }
  return {
    [Symbol.dispose]: () => {
      // A command that has opened the file meanwhile sees that it is gone, and opens it again.
      rmSync(file, { force: true });
      lock.release();
    },
  };
}
