import type { TypedObject } from '@binnacle/client/typed';

/** On claims: the binding was completed once. */
export const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';
/** On claims and volumes: this loop chose the other side. Without it, the user did. */
export const BOUND_BY_CONTROLLER = 'pv.kubernetes.io/bound-by-controller';
/** On volumes: the provisioner that made them. */
export const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by';
/** On claims and volumes: the CSI driver that replaces an in-tree plugin. */
export const MIGRATED_TO = 'pv.kubernetes.io/migrated-to';
/** On claims: the provisioner that is to make the volume. */
export const PROVISIONER = 'volume.kubernetes.io/storage-provisioner';
export const BETA_PROVISIONER = 'volume.beta.kubernetes.io/storage-provisioner';
/** On claims: the node for which the scheduler wants a volume. */
export const SELECTED_NODE = 'volume.kubernetes.io/selected-node';
/** On volumes whose file system must still be expanded: the capacity before. */
export const PRE_RESIZE_CAPACITY = 'volume.alpha.kubernetes.io/pre-resize-capacity';

const YES = 'yes';

export function annotationOf({ metadata }: TypedObject, key: string): string | undefined {
  return metadata.annotations?.[key];
}

export function hasAnnotation(object: TypedObject, key: string): boolean {
  return annotationOf(object, key) !== undefined;
}

/** The object with the annotation. A value that is present stays, unless another is given. */
export function withAnnotation<T extends TypedObject>(object: T, key: string, value?: string): T {
  const annotations = { ...object.metadata.annotations, [key]: value ?? annotationOf(object, key) ?? YES };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

export function withoutAnnotation<T extends TypedObject>(object: T, key: string): T {
  const { annotations: before = {}, ...metadata } = object.metadata;
  const { [key]: _, ...annotations } = before;
  return { ...object, metadata: Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations } };
}
