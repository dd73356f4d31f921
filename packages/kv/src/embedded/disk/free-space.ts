import { statfsSync } from 'node:fs';

/** A commit also writes the pages from the root to the changed ones. */
const PAGES_BYTES = 1024 * 1024;

/** Whether the disk of a directory has space for this many bytes, plus a commit's overhead. */
export function hasSpace(directory: string, bytes: number): boolean {
  const { blocks, bavail, bsize } = statfsSync(directory);
  // A file system of size zero does not report its size.
  return blocks === 0 || bavail * bsize >= bytes + PAGES_BYTES;
}
