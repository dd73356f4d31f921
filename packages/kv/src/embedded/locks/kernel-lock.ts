import { KVError } from '../../interface/index.js';

/** Locks the file of a descriptor; false where another process holds the lock. */
export type TryLock = (descriptor: number) => boolean;

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
 * The kernel's lock. Undefined on a platform without a build, where the `lock` file alone keeps processes apart. Where
 * there is a build, one that cannot be loaded is an error: a store without its lock would let a second server in.
 */
export async function loadTryLock(
  load: () => Promise<{ readonly tryLock: TryLock }> = () => import('fs-native-extensions'),
  platform: string = `${process.platform}-${process.arch}`,
): Promise<TryLock | undefined> {
  try {
    return (await load()).tryLock;
  } catch (error) {
    if (!BUILDS.has(platform)) return undefined;
    const [detail = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new KVError(
      'unavailable',
      `the store cannot be locked, because the package fs-native-extensions cannot be loaded (${detail}); ` +
        'install the server again with all packages that it depends on',
      { cause: error },
    );
  }
}
