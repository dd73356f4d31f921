import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * What the operator looks after: something outside of the cluster. A reconcile may be repeated at any time, and so may each of these: what is
 * there already is left as it is, what is gone already is no failure.
 */
export interface ObjectStore {
  ensureBucket(bucket: string): Promise<void>;
  deleteBucket(bucket: string): Promise<void>;
  /** Gives the user's key. */
  ensureKey(bucket: string, user: string): Promise<string>;
  revokeKey(bucket: string, user: string): Promise<void>;
}

/** Buckets as folders below one, and keys as files below another. */
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
    // Written if there is none; else the one that is there counts.
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
