import type { Environment } from './environment.js';

/** A place in the log, and what it gets. */
export interface Replacement {
  readonly key: Buffer;
  readonly bytes: Buffer;
}

/** Replaces records by shorter ones. Only inside a commit. */
export function replaceRecords({ log }: Pick<Environment, 'log'>, replacements: readonly Replacement[]): void {
  // LMDB merges pages only when it removes entries, not when it shortens them.
  for (const { key } of replacements) void log.remove(key);
  for (const { key, bytes } of replacements) void log.put(key, bytes);
}
