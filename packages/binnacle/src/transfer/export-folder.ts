import { createHash } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasErrorCode } from '@binnacle/apimachinery/errors';
import { stringifyYamlForFile } from '@binnacle/apimachinery/yaml';
import { ensurePrivateDirectory, writePrivateFile } from '../files/index.js';
import { isPathSegment, type Item, metadataOf } from './item.js';
import type { Plan } from './plan.js';
import type { Written } from './report.js';

/** The file that says that an export to the folder has not ended. An import refuses such a folder, which looks like a whole export. */
export const UNFINISHED = '.unfinished';

/** In bytes. Most file systems have 255, and the name of a file that is being written is longer. Names of objects may be, too. */
const MAX_FILE_NAME_BYTES = 220;
const SUFFIX = '.yaml';

/** Where an object is in a folder, as in a backup of Velero. `resource`: the plural of its kind. Throws an Error if that leads out of the folder. */
export function pathInFolder({ group, namespace, name }: Item, resource: string): string {
  if (!isPathSegment(resource)) throw new Error(`${JSON.stringify(resource)} cannot be the name of a resource`);
  const kind = group === '' ? resource : `${resource}.${group}`;
  const place = namespace === '' ? ['cluster'] : ['namespaces', namespace];
  return join('resources', kind, ...place, fileName(name));
}

/** A name that is too long is cut, and gets its hash. */
function fileName(name: string): string {
  if (Buffer.byteLength(name + SUFFIX) <= MAX_FILE_NAME_BYTES) return name + SUFFIX;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 16);
  const kept = Buffer.from(name).subarray(0, MAX_FILE_NAME_BYTES - SUFFIX.length - hash.length - 1);
  return `${kept.toString().replace(/\ufffd+$/, '')}-${hash}${SUFFIX}`;
}

/** Why an item of an unknown kind is left out. */
const UNKNOWN_KIND = 'objects whose CustomResourceDefinition is not among them';

/**
 * Writes a file for each object of a plan, which only the owner can read. `resourceOf` resolves with the plural of an item's kind, or undefined. Rejects with an Error if the folder is not empty: a file of an earlier
 * export would look like an object that still exists.
 */
export async function exportToFolder(
  { stages, leftOut }: Plan,
  folder: string,
  resourceOf: (item: Item) => Promise<string | undefined>,
  progress: (step: string, done: number, total: number) => void,
): Promise<Written> {
  if ((await namesIn(folder)).length > 0)
    throw new Error(`${folder} is not empty; export to an empty or absent folder`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writePrivateFile(join(folder, UNFINISHED), '');
  const items = stages.flat();
  const made = new Set<string>();
  let [done, unknown] = [0, 0];
  for (const item of items) {
    progress('writing', ++done, items.length);
    const resource = await resourceOf(item);
    if (resource === undefined) {
      unknown += 1;
      continue;
    }
    const path = join(folder, pathInFolder(item, resource));
    if (!made.has(dirname(path))) await ensurePrivateDirectory(dirname(path));
    made.add(dirname(path));
    await writePrivateFile(path, stringifyYamlForFile(readable(item)));
  }
  await rm(join(folder, UNFINISHED));
  const reasons = new Map([...leftOut, ...(unknown === 0 ? [] : [[UNKNOWN_KIND, unknown] as const])]);
  return { written: items.length - unknown, ownersLost: 0, failed: [], leftOut: reasons };
}

/** Without what an import does not read. The UID stays, by which dependents find their owners. */
function readable({ object }: Item) {
  const { managedFields: _managedFields, resourceVersion: _resourceVersion, ...metadata } = metadataOf(object);
  return { ...object, metadata };
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  }
}
