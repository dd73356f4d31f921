import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '@binnacle/api/types/apiextensions-v1';
import { kindSchema } from '@binnacle/api/table';
import { BuiltInCodec, VersionSet } from '../codec/index.js';
import { StoredObject } from '../storage/index.js';
import { type ServedDefinition, servedDefinition } from './served-definition.js';

/** A condition that is true. */
export const yes = (type: string) => ({
  type,
  status: 'True',
  reason: '',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
});
export const version = (
  name: string,
  rest: Partial<CustomResourceDefinitionVersion> = {},
): CustomResourceDefinitionVersion => ({ name, served: true, storage: false, ...rest });

const kind = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' };
const schema = kindSchema(kind);
if (schema === undefined) throw new Error('the table has no CustomResourceDefinition');
const storage = new BuiltInCodec(kind, schema);
const codec = new VersionSet({
  storage,
  versions: new Map([[storage.apiVersion, storage]]),
  selectableFields: () => ({}),
  mediaType: undefined,
});

/** The summary of a definition as the store has it. */
export function served(
  group: string,
  plural: string,
  changes: Partial<CustomResourceDefinition> = {},
  versions = [version('v1')],
): ServedDefinition {
  const names = { plural, kind: plural.toUpperCase(), singular: plural };
  const definition: CustomResourceDefinition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, uid: 'u' },
    spec: { group, names, scope: 'Namespaced', versions },
    status: { acceptedNames: names, conditions: [yes('NamesAccepted'), yes('Established')] },
    ...changes,
  };
  const value = Buffer.from(JSON.stringify(definition));
  return servedDefinition(new StoredObject({ codec, key: plural, revision: 1, value, isCanonical: false }));
}
