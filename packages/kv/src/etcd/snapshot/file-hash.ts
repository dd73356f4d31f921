import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { SnapshotError } from './snapshot-error.js';

/** The length of the SHA-256 at the end of a saved snapshot. */
export const HASH_BYTES = 32;
const READ_BYTES = 1024 * 1024;

/** The SHA-256 of the first bytes of a file. Rejects with a {@link SnapshotError} when the file has fewer. */
export async function hashOf(file: FileHandle, length: number): Promise<Buffer> {
  const content = createHash('sha256');
  const buffer = Buffer.alloc(READ_BYTES);
  for (let position = 0; position < length; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(READ_BYTES, length - position), position);
    if (bytesRead === 0) throw new SnapshotError('the file became shorter');
    content.update(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
  return content.digest();
}
