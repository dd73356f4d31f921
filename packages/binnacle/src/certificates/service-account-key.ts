import { join } from 'node:path';
import { ensurePrivateDirectory, readTextIfPresent, writePrivateFile } from '../files/index.js';

/** Upstream: kubeadm's `/etc/kubernetes/pki`. */
const FILE_NAME = 'sa.key';

/**
 * Loads the PEM private key for service account tokens from a directory, and generates it when there is none that
 * `isValid`. Two processes must not do this in one directory at the same time.
 */
export async function loadServiceAccountKey(
  directory: string,
  isValid: (text: string) => boolean,
  make: () => Promise<string>,
): Promise<string> {
  await ensurePrivateDirectory(directory);
  const path = join(directory, FILE_NAME);
  const present = await readTextIfPresent(path);
  if (present !== undefined && isValid(present)) return present;
  const made = await make();
  await writePrivateFile(path, made);
  return made;
}
