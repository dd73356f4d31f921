import { messageOf } from '@binnacle/apimachinery/errors';
import { KVError } from '../interface/index.js';

/** Locks of open files. They end with the process. */
export interface KernelLocks {
  /** False where another descriptor holds the lock. */
  tryLock(descriptor: number): boolean;
  waitForLock(descriptor: number): Promise<unknown>;
  unlock(descriptor: number): void;
}

/** The platforms that `fs-native-extensions` has a build for. */
const BUILDS: ReadonlySet<string> = new Set([
  'darwin-arm64',
  'darwin-x64',
  'linux-arm64',
  'linux-x64',
  'win32-arm64',
  'win32-x64',
]);

/**
 * The kernel's locks. Undefined on a platform without a build, where the `lock` file alone keeps processes apart. Where
 * there is a build, one that cannot be loaded is an error: a store without its lock would let a second server in.
 */
export async function loadKernelLocks(
  load: () => Promise<KernelLocks> = () => import('fs-native-extensions'),
  platform: string = `${process.platform}-${process.arch}`,
): Promise<KernelLocks | undefined> {
  try {
    return await load();
  } catch (error) {
    if (!BUILDS.has(platform)) return undefined;
    const [detail = ''] = messageOf(error).split('\n');
    throw new KVError(
      'unavailable',
      `files cannot be locked, because the package fs-native-extensions cannot be loaded (${detail}); ` +
        'install the server again with all packages that it depends on',
      { cause: error },
    );
  }
}

/** False where another descriptor holds the lock. A file that cannot be locked, as on some network file systems, is an error. */
export function tryLock(locks: KernelLocks, descriptor: number, file: string): boolean {
  try {
    return locks.tryLock(descriptor);
  } catch (error) {
    const detail = messageOf(error);
    throw new KVError(
      'unavailable',
      `${file} cannot be locked (${detail}); its file system may have no locks: use a directory on a local disk`,
      { cause: error },
    );
  }
}
