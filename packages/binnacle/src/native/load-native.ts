import { messageOf } from '@binnacle/apimachinery/errors';
import { type NativePart, unpack } from './unpack.js';

/** What loading depends on besides the part. */
export interface Loading {
  /** Tried in order. */
  readonly folders: readonly string[];
  readonly userId: number | undefined;
  /** Loads a shared library. Throws where the file system forbids programs. */
  readonly load: (path: string) => unknown;
}

/** Loads a part from the first folder that can hold it. Throws an error that names every folder and its problem. */
export function loadNative(part: NativePart, { folders, userId, load }: Loading): unknown {
  const problems: string[] = [];
  for (const folder of folders) {
    try {
      return load(unpack(part, folder, userId));
    } catch (error) {
      problems.push(messageOf(error));
    }
  }
  throw new Error(
    `${part.name} cannot be loaded (${problems.join('; ')}); set BINNACLE_NATIVE_DIR to a private folder whose file system allows programs, ` +
      'or run with --in-memory',
  );
}
