import type { JsonObject } from '@binnacle/apimachinery/json';
import type { DynamicClient } from '@binnacle/client/dynamic';
import { CustomResourceDefinition } from '@binnacle/client/kinds/apiextensions/v1';
import { waitFor } from '@binnacle/client/testing';
import { definitionObjectsIn } from '../types/index.js';
import { documentsAt } from './manifests.js';

export const applyOptions = { fieldManager: 'binnacle-testing', force: true } as const;

/**
 * Applies the definitions in files, and in the `.yaml`, `.yml` and `.json` files of folders. Resolves when objects of
 * all of them can be created. Rejects when a path holds no definition, or the server refuses one.
 */
export async function installDefinitions(client: DynamicClient, paths: readonly string[]): Promise<void> {
  await applyDefinitions(client, (await Promise.all(paths.map(definitionsAt))).flat());
}

/** Applies the definitions, and resolves when objects of all of them can be created. */
export async function applyDefinitions(
  client: DynamicClient,
  definitions: readonly Readonly<JsonObject>[],
): Promise<void> {
  const resource = client.resource(CustomResourceDefinition);
  await Promise.all(
    definitions.map(async (definition) => {
      const { metadata } = await resource.apply(definition as JsonObject & CustomResourceDefinition, applyOptions);
      await waitFor(resource, metadata.name ?? '', isEstablished);
    }),
  );
}

async function definitionsAt(path: string): Promise<readonly Readonly<JsonObject>[]> {
  const found = definitionObjectsIn(await documentsAt(path));
  if (found.length === 0) throw new Error(`no CustomResourceDefinition in ${path}`);
  return found;
}

/** Throws when the definition can never become established. */
function isEstablished({ metadata, status }: CustomResourceDefinition): boolean {
  const conditions = status?.conditions ?? [];
  const refused = conditions.find(({ type, status }) => type === 'NamesAccepted' && status === 'False');
  if (refused !== undefined) throw new Error(`${metadata.name}: ${refused.message}`);
  return conditions.some(({ type, status }) => type === 'Established' && status === 'True');
}
