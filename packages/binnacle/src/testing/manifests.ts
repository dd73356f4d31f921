import type { JsonObject } from '@binnacle/apimachinery/json';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describeFileError } from '../files/index.js';
import { parseDocuments } from '../types/index.js';

const isDocument = /\.(ya?ml|json)$/;

/** The documents of a file, or of all `.yaml`, `.yml` and `.json` files of a folder. Rejects with an error that names the path. */
export async function documentsAt(path: string): Promise<readonly Readonly<JsonObject>[]> {
  try {
    const files = (await stat(path)).isDirectory()
      ? (await readdir(path)).filter((name) => isDocument.test(name)).map((name) => join(path, name))
      : [path];
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    return texts.flatMap((text, index) => parseDocuments(files[index] ?? path, text));
  } catch (error) {
    const reason = describeFileError(error);
    throw reason === undefined ? error : new Error(`${path}: ${reason}`, { cause: error });
  }
}
