import { statfsSync } from 'node:fs';

/** A commit also writes the pages on the way from the root to what changed. */
const PAGES_BYTES = 1024 * 1024;

/** Whether the disk under a directory takes so many bytes, and what a commit writes besides. */
export function hasSpace(directory: string, bytes: number): boolean {
  const { blocks, bavail, bsize } = statfsSync(directory);
  // A file system of no size is one that does not say.
  return blocks === 0 || bavail * bsize >= bytes + PAGES_BYTES;
}
