import { tmpdir } from 'node:os';
import { getAsset } from 'node:sea';
import { baseDirectory } from '../files/index.js';
import { nativeFolders } from './folders.js';
import { loadNative } from './load-native.js';

/** Loads a native part that the executable carries under this name. Returns what the part exports. */
export function loadPart(name: string): unknown {
  const userId = process.getuid?.();
  const folders = nativeFolders(process.env, {
    cache: userCache(),
    temporary: tmpdir(),
    userId: userId ?? 0,
  });
  return loadNative({ name, content: new Uint8Array(getAsset(name)) }, { folders, userId, load });
}

/** Undefined: the system knows no home of this user, such as in a container that runs as a user of its own. */
function userCache(): string | undefined {
  try {
    return baseDirectory('cache', process.env);
  } catch {
    return undefined;
  }
}

function load(path: string): unknown {
  const module = { exports: {} };
  process.dlopen(module, path);
  return module.exports;
}
