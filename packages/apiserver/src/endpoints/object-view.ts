import { emptyFieldSet } from '@binnacle/apimachinery/managedfields';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import type { KindCodec, VersionSet } from '../codec/index.js';
import type { Strategy } from '../registry/index.js';
import type { View } from './endpoint.js';

/** The fields that a client can set through a path. */
export type PathRules = Pick<View, 'resetFields' | 'settableFields'>;

/**
 * The view of an object in one of its versions; with `subresource` and `strategy`, of a part of it such as status.
 */
export function objectView(
  versions: VersionSet,
  codec: KindCodec,
  subresource = '',
  strategy?: Strategy,
  rules: PathRules = { resetFields: emptyFieldSet },
): View {
  const present = (object: KubernetesObject) => versions.fromStorage(object, codec);
  return {
    subresource,
    codec,
    strategy,
    ...rules,
    isStoredForm: codec === versions.storage,
    show: (stored) => present(stored.decode()),
    present,
    before: present,
    converting: (work) => versions.converting(work),
    accept: (sent) => versions.toStorage(sent, codec),
  };
}
