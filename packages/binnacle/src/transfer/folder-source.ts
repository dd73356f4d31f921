import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { parseYaml } from '@binnacle/apimachinery/yaml';
import { isBoltHead } from '@binnacle/kv/etcd/snapshot';
import { describeFileError } from '../files/index.js';
import type { ClusterItems } from './cluster-source.js';
import { type Item, itemOf } from './item.js';
import { isDataDirectory, itemsOfDataDirectory } from './store-source.js';
import { isEtcdSnapshot, itemsOfSnapshot } from './snapshot-source.js';

const DOCUMENT = /\.(?:ya?ml|json)$/;
const SEPARATOR = /^---(?=\s|$).*$/m;
/** The largest file. Larger texts are no JavaScript strings, and their objects take several times as much memory. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;

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
    for (const file of await filesAt(path)) {
      if (await isSnapshot(file)) {
        take(await itemsOfSnapshot(file, withSecrets));
        continue;
      }
      for (const object of await objectsIn(file)) {
        try {
          items.push(itemOf(object));
        } catch (error) {
          throw new Error(`${file}: ${messageOf(error)}`, { cause: error });
        }
      }
    }
  }
  return { items, unread };
}

async function filesAt(path: string): Promise<readonly string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const names = (await readdir(path, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile() && DOCUMENT.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name));
    return names.sort();
  } catch (error) {
    throw explained(path, error);
  }
}

async function isSnapshot(file: string): Promise<boolean> {
  try {
    return await isEtcdSnapshot(file);
  } catch (error) {
    throw explained(file, error);
  }
}

async function objectsIn(file: string): Promise<readonly JsonObject[]> {
  let text: string;
  try {
    text = await contentOf(file);
  } catch (error) {
    throw explained(file, error);
  }
  return text.split(SEPARATOR).flatMap((document, index) => {
    try {
      return objectsOf(parseYaml(document).value);
    } catch (error) {
      throw new Error(`${file}: document ${index + 1}: ${messageOf(error)}`, { cause: error });
    }
  });
}

function objectsOf(value: JsonValue): readonly JsonObject[] {
  if (value === null) return [];
  if (!isObject(value)) throw new Error('it is not an object');
  const { kind, items, apiVersion } = value;
  if (typeof kind !== 'string' || !kind.endsWith('List') || !Array.isArray(items)) return [value];
  const ofItems = kind === 'List' ? {} : { apiVersion, kind: kind.slice(0, -'List'.length) };
  return items.filter(isObject).map((item) => ({ ...ofItems, ...item }));
}

/** Also of a pipe, such as that of a process substitution. */
async function contentOf(file: string): Promise<string> {
  await using handle = await open(file);
  const { size } = await handle.stat();
  const chunks: Buffer[] = [];
  let bytes = 0;
  const content: AsyncIterable<Buffer> = handle.createReadStream({ autoClose: false });
  for await (const chunk of content) {
    const refusal = bytes === 0 ? refusalOf(chunk) : undefined;
    if (refusal !== undefined) throw new Error(`${file} ${refusal}`);
    bytes += chunk.length;
    if (Math.max(size, bytes) > MAX_FILE_BYTES) throw new Error(`${file} is larger than 256 MiB: split it`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** What to do with a file that is something else. Undefined: it may be a manifest. */
export function refusalOf(head: Buffer): string | undefined {
  if (isBoltHead(head)) return 'is a snapshot of etcd: name the file itself, not a pipe';
  if (head.length >= 2 && head.readUInt16BE(0) === 0x1f8b)
    return 'is an archive: unpack it, such as with tar, and import the folder';
  if (head.includes('binnacle-backup '))
    return 'is a backup of Binnacle: "binnacle store restore FILE" makes a store of it';
  return undefined;
}

function explained(path: string, error: unknown): unknown {
  const reason = describeFileError(error);
  return reason === undefined ? error : new Error(`${path}: ${reason}`, { cause: error });
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
