import type { Namespace } from '@binnacle/api/types/core-v1';
import type { ResourceType, TypedObject } from '@binnacle/client/typed';

export const namespaces: ResourceType<Namespace & TypedObject> = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
};
