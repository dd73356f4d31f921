export {
  formatGroupKind,
  formatGroupResource,
  formatGroupVersion,
  type GroupKind,
  type GroupResource,
  type GroupVersion,
  type GroupVersionKind,
  type GroupVersionResource,
  parseGroupVersion,
} from './group-version.js';
export {
  asJson,
  asKind,
  asObject,
  copyOf,
  type KubernetesObject,
  type ManagedFieldsEntry,
  type ObjectMeta,
  type OwnerReference,
} from './object.js';
export { compareResourceVersions, InvalidResourceVersionError } from './resource-version.js';
