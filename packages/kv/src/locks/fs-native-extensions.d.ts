/** The package has no types of its own. */
declare module 'fs-native-extensions' {
  /** Locks a file for its open file description; false if another one holds the lock. */
  export function tryLock(descriptor: number): boolean;
  /** Resolves once it has locked the file. */
  export function waitForLock(descriptor: number): Promise<unknown>;
  export function unlock(descriptor: number): void;
}
