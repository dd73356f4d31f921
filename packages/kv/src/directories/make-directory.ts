import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Makes a directory and its parents where they are absent, for their owner alone. Throws what the system says. */
export function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if (hasCode(error, 'EEXIST') && statSync(directory).isDirectory()) return;
    const parent = dirname(directory);
    // Where the parent is there, it takes no directories.
    if (!hasCode(error, 'ENOENT') || existsSync(parent)) throw error;
    makeDirectory(parent);
    mkdirSync(directory, { mode: 0o700 });
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
