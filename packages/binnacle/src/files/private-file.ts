import { hasErrorCode } from '@binnacle/apimachinery/errors';
import { makeDirectory } from '@binnacle/kv/directories';
import { randomBytes } from 'node:crypto';
import { chmod, constants, type FileHandle, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { NotAFileError } from './file-error.js';

/** The unit of `blocks` in the status of a file. */
const BLOCK_BYTES = 512;

/** Creates the directory and its parents if needed, and makes it accessible to its owner only. */
export async function ensurePrivateDirectory(directory: string): Promise<void> {
  makeDirectory(directory);
  await chmod(directory, 0o700);
}

/**
 * Replaces a file atomically: readers, and the next start after a crash, see either the old or the new text. Only the
 * owner may read it. Refuses directories, devices, pipes and sockets: reading one may never end, and replacing `/dev/null` would
 * affect the whole machine.
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  // A full disk cannot store the text again, but an unchanged file need not be written.
  if ((await readTextIfPresent(path)) === text) return chmod(path, 0o600);
  await replacePrivateFile(path, (file) => file.writeFile(text));
}

/**
 * {@link writePrivateFile} for text that each start writes again. On a full disk it overwrites the old text in its space. If the
 * process ends meanwhile, the file has parts of both.
 */
export async function writePrivateFileAnyway(path: string, text: string): Promise<void> {
  try {
    await writePrivateFile(path, text);
  } catch (error) {
    if (!hasErrorCode(error, 'ENOSPC') || !(await overwritten(path, Buffer.from(text)))) throw error;
  }
}

/** Whether the bytes have found place in a file that exists. A link may lead to a file of another user. */
async function overwritten(path: string, bytes: Uint8Array): Promise<boolean> {
  const file = await open(path, constants.O_RDWR | constants.O_NOFOLLOW).catch(() => undefined);
  if (file === undefined) return false;
  try {
    const { blocks } = await file.stat();
    if (bytes.length > blocks * BLOCK_BYTES) return false;
    await file.chmod(0o600);
    const { bytesWritten } = await file.write(bytes, 0, bytes.length, 0);
    await file.truncate(bytesWritten);
    await file.sync();
    return bytesWritten === bytes.length;
  } finally {
    await file.close();
  }
}

/** {@link writePrivateFile} for what `write` writes to an empty file, which is open for reading too. */
export async function replacePrivateFile(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const file = await open(temporary, 'wx+', 0o600);
    try {
      await write(file);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function isNotRegular(path: string): Promise<boolean> {
  try {
    return !(await stat(path)).isFile();
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return false;
    throw error;
  }
}

/**
 * The text of a file, or undefined when it does not exist. Rejects on other errors, and with `NotAFileError` for a
 * directory, a device, a pipe or a socket.
 */
export async function readTextIfPresent(path: string): Promise<string | undefined> {
  if (await isNotRegular(path)) throw new NotAFileError(path);
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
