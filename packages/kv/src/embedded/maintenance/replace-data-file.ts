import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openCommitGate } from '../locks/commit-gate.js';
import { DATA_FILE } from '../pages/data-file.js';

/** The directory in a store's own in which a repair builds the new file. It remains only if the process is killed. */
export const REPAIRING = 'repairing';

/**
 * Replaces the data file of a stopped store. LMDB's lock file describes the old file and must not outlive it: an
 * external reader may have it open. No process may open the store in between.
 */
export async function replaceDataFile(directory: string, file: string): Promise<void> {
  const dataFile = join(directory, DATA_FILE);
  const gate = await openCommitGate(directory);
  try {
    await gate.run(async () => {
      await rm(`${dataFile}-lock`, { force: true });
      await rename(file, dataFile);
      await rm(`${dataFile}-lock`, { force: true });
    });
  } finally {
    gate.close();
  }
}
