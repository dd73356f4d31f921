import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '@binnacle/apimachinery/errors';
import { isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { forEachConcurrently } from '@binnacle/apimachinery/work';
import { parseYaml } from '@binnacle/apimachinery/yaml';
import { describeFileError } from '../files/index.js';
import type { ClusterItems } from './cluster-source.js';
import { UNFINISHED } from './export-folder.js';
import { type Item, itemOf } from './item.js';
import { isDataDirectory, itemsOfDataDirectory } from './store-source.js';
import { manifestText } from './manifest-text.js';
import { itemsOfSnapshot } from './snapshot-source.js';

const DOCUMENT = /\.(?:ya?ml|json)$/;
/** A line, which other line breaks than these do not end: a string of JSON may contain those. */
const SEPARATOR = /(?<=^|\n)---(?=\s|$)[^\n]*/;
/** How many files are read at a time. A system limits the files that are open. */
const READS_AT_ONCE = 16;

/**
 * The objects of files, or of all `.yaml`, `.yml` and `.json` files below folders, in the order of their paths. A file is a manifest, whose
 * lists are taken apart, or a snapshot of etcd. A folder may be a data directory of Binnacle. Rejects with an Error that names the file.
 */
export async function itemsInFiles(paths: readonly string[], withSecrets: boolean): Promise<ClusterItems> {
  const items: Item[] = [];
  const unread: string[] = [];
  const take = (found: ClusterItems) => {
    for (const item of found.items) items.push(item);
    for (const reason of found.unread) unread.push(reason);
  };
  for (const path of paths) {
    if (isDataDirectory(path)) {
      take(await itemsOfDataDirectory(path, withSecrets));
      continue;
    }
    const files = await filesAt(path);
    const contents = new Map<string, readonly JsonObject[] | undefined>();
    await forEachConcurrently(files, READS_AT_ONCE, async (file) => {
      contents.set(file, await objectsIn(file));
    });
    for (const file of files) {
      const objects = contents.get(file);
      if (objects === undefined) take(await itemsOfSnapshot(file, withSecrets));
      else for (const object of objects) items.push(itemIn(file, object));
    }
  }
  return { items, unread };
}

async function filesAt(path: string): Promise<readonly string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const entries = await readdir(path, { recursive: true, withFileTypes: true });
    if (entries.some(({ name }) => name === UNFINISHED))
      throw new Error(`${path}: an export to this folder has not ended`);
    const names = entries
      .filter((entry) => entry.isFile() && DOCUMENT.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name));
    return names.sort();
  } catch (error) {
    throw explained(path, error);
  }
}

/** Undefined: the file is a snapshot of etcd. */
async function objectsIn(file: string): Promise<readonly JsonObject[] | undefined> {
  let text: string | undefined;
  try {
    text = await manifestText(file);
  } catch (error) {
    throw explained(file, error);
  }
  return text?.split(SEPARATOR).flatMap((document, index) => {
    try {
      return objectsOf(parseYaml(document).value);
    } catch (error) {
      throw new Error(`${file}: document ${index + 1}: ${messageOf(error)}`, { cause: error });
    }
  });
}

function itemIn(file: string, object: JsonObject): Item {
  try {
    return itemOf(object);
  } catch (error) {
    throw new Error(`${file}: ${messageOf(error)}`, { cause: error });
  }
}

function objectsOf(value: JsonValue): readonly JsonObject[] {
  if (value === null) return [];
  if (!isObject(value)) throw new Error('it is not an object');
  const { kind, items, apiVersion } = value;
  if (typeof kind !== 'string' || !kind.endsWith('List') || !Array.isArray(items)) return [value];
  const ofItems = kind === 'List' ? {} : { apiVersion, kind: kind.slice(0, -'List'.length) };
  return items.filter(isObject).map((item) => ({ ...ofItems, ...item }));
}

function explained(path: string, error: unknown): unknown {
  const reason = describeFileError(error);
  return reason === undefined ? error : new Error(`${path}: ${reason}`, { cause: error });
}
