import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** A shared library. */
export interface NativePart {
  readonly name: string;
  readonly content: Uint8Array;
}

/**
 * Writes the part to a folder that does not have it yet, and creates the folder if it is absent. Returns the path of the file. Throws when the
 * folder cannot be written, or is not private to the user, or others could replace it. Several processes may call it at once: the file appears
 * whole. `userId`: undefined where there is none, as on Windows.
 */
export function unpack({ name, content }: NativePart, folder: string, userId: number | undefined): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { mode, uid, isDirectory } = statusOf(folder);
  if (!isDirectory) throw new Error(`${folder} is not a folder`);
  if (userId !== undefined && (uid !== userId || (mode & 0o077) !== 0)) {
    throw new Error(`${folder} is not private: it must belong to this user, with mode 700`);
  }
  const real = realpathSync(folder);
  const open = userId === undefined ? undefined : openFolder(real, userId);
  if (open !== undefined) throw new Error(`${folder} is not private: others can rename what is in ${open}`);
  const digest = digestOf(content);
  const path = join(real, `${digest.slice(0, 16)}-${name}`);
  if (holds(path, digest)) return path;
  const part = `${path}.${process.pid}`;
  try {
    writeFileSync(part, content, { flag: 'wx', mode: 0o600 });
    chmodSync(part, 0o500);
    renameSync(part, path);
  } finally {
    rmSync(part, { force: true });
  }
  return path;
}

/** The user ID that the kernel shows in a container for the files of users that the container does not have, such as the host's root. */
const UNMAPPED = 65_534;
const STICKY = 0o1000;

/** The first of this folder and those above it that another user owns, or in which others can rename files that they do not own. */
function openFolder(folder: string, userId: number): string | undefined {
  const { uid, mode } = statSync(folder);
  const isOpen = (mode & 0o002) !== 0 && (mode & STICKY) === 0;
  if (isOpen || ![userId, 0, UNMAPPED].includes(uid)) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : openFolder(above, userId);
}

function statusOf(path: string): { readonly mode: number; readonly uid: number; readonly isDirectory: boolean } {
  const status = lstatSync(path);
  return { mode: status.mode, uid: status.uid, isDirectory: status.isDirectory() };
}

/** Whether a regular file has the content. */
function holds(path: string, digest: string): boolean {
  try {
    return lstatSync(path).isFile() && digestOf(readFileSync(path)) === digest;
  } catch {
    return false;
  }
}

function digestOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
