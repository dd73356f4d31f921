import type { JsonObject } from '@binnacle/apimachinery/json';
import type { DynamicClient } from '@binnacle/client/dynamic';
import { CustomResourceDefinition } from '@binnacle/client/kinds/apiextensions/v1';
import { waitFor } from '@binnacle/client/testing';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describeFileError } from '../files/index.js';
import { definitionObjectsIn, parseDocuments } from '../types/index.js';

const isDocument = /\.(ya?ml|json)$/;

/**
 * Applies the definitions in files, and in the `.yaml`, `.yml` and `.json` files of folders. Resolves when objects of
 * all of them can be created. Rejects when a path holds no definition, or the server refuses one.
 */
export async function installDefinitions(client: DynamicClient, paths: readonly string[]): Promise<void> {
  const definitions = (await Promise.all(paths.map(definitionsAt))).flat();
  const resource = client.resource(CustomResourceDefinition);
  await Promise.all(
    definitions.map(async (definition) => {
      const { metadata } = await resource.apply(definition as JsonObject & CustomResourceDefinition, {
        fieldManager: 'binnacle-testing',
        force: true,
      });
      await waitFor(resource, metadata.name ?? '', isEstablished);
    }),
  );
}

async function definitionsAt(path: string): Promise<readonly Readonly<JsonObject>[]> {
  try {
    const files = (await stat(path)).isDirectory()
      ? (await readdir(path)).filter((name) => isDocument.test(name)).map((name) => join(path, name))
      : [path];
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    const found = definitionObjectsIn(texts.flatMap((text, index) => parseDocuments(files[index] ?? path, text)));
    if (found.length === 0) throw new Error(`no CustomResourceDefinition in ${path}`);
    return found;
  } catch (error) {
    const reason = describeFileError(error);
    throw reason === undefined ? error : new Error(`${path}: ${reason}`, { cause: error });
  }
}

/** Throws when the definition can never become established. */
function isEstablished({ metadata, status }: CustomResourceDefinition): boolean {
  const conditions = status?.conditions ?? [];
  const refused = conditions.find(({ type, status }) => type === 'NamesAccepted' && status === 'False');
  if (refused !== undefined) throw new Error(`${metadata.name}: ${refused.message}`);
  return conditions.some(({ type, status }) => type === 'Established' && status === 'True');
}
