import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The external system that the operator manages. All methods are idempotent, since a reconcile may run at any time: they keep what exists, and do not
 * fail for what is already gone.
 */
export interface ObjectStore {
  ensureBucket(bucket: string): Promise<void>;
  deleteBucket(bucket: string): Promise<void>;
  /** Resolves to the user's key. */
  ensureKey(bucket: string, user: string): Promise<string>;
  revokeKey(bucket: string, user: string): Promise<void>;
}

/** A store in a folder: a folder for each bucket, a file for each key. */
export class FolderStore implements ObjectStore {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async ensureBucket(bucket: string): Promise<void> {
    await mkdir(this.#bucket(bucket), { recursive: true });
  }

  async deleteBucket(bucket: string): Promise<void> {
    await rm(this.#bucket(bucket), { recursive: true, force: true });
  }

  async ensureKey(bucket: string, user: string): Promise<string> {
    await mkdir(join(this.#root, 'keys', bucket), { recursive: true });
    const file = this.#key(bucket, user);
    const key = randomBytes(16).toString('hex');
    // An existing key stays.
    await writeFile(file, key, { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    return readFile(file, 'utf8');
  }

  async revokeKey(bucket: string, user: string): Promise<void> {
    await rm(this.#key(bucket, user), { force: true });
  }

  #bucket(bucket: string): string {
    return join(this.#root, 'buckets', bucket);
  }

  #key(bucket: string, user: string): string {
    return join(this.#root, 'keys', bucket, user);
  }
}
