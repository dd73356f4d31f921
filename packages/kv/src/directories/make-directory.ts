import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { hasErrorCode } from '@binnacle/apimachinery/errors';

/** Creates a missing directory and its parents, accessible only to the owner. Throws the system's error. */
export function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST') && statSync(directory).isDirectory()) return;
    const parent = dirname(directory);
    // The parent exists, and directories cannot be created in it.
    if (!hasErrorCode(error, 'ENOENT') || existsSync(parent)) throw error;
    makeDirectory(parent);
    mkdirSync(directory, { mode: 0o700 });
  }
}
