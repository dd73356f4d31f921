import type { Indexer } from '@binnacle/client/cache';
import { controllerOf } from '@binnacle/client/controller';
import type { OwnerReference, TypedObject } from '@binnacle/client/typed';

const BY_CONTROLLER = 'controller';

/** By their controller, or by their namespace if they have none. */
function byController(object: TypedObject): string[] {
  const { namespace } = object.metadata;
  const controller = controllerOf(object);
  return [controller === undefined ? orphansOf(namespace) : keyOf(namespace, controller)];
}

/**
 * An owner is in the namespace of what it controls. Anyone who may create objects in one namespace can name the uid of an owner in another,
 * so a uid alone proves nothing. Upstream: controller `PodControllerIndexKey`.
 */
function keyOf(namespace = '', { kind, name, uid }: Pick<OwnerReference, 'kind' | 'name' | 'uid'>): string {
  return [namespace, kind, name, uid].join('/');
}

function orphansOf(namespace = ''): string {
  return `${namespace}/`;
}

/** For `reads` of a controller: the index that the functions of this file look up. All loops share it. */
export const controllerIndexes = { [BY_CONTROLLER]: byController };

/** The objects in the namespace of the owner that name it as their controller, by kind, name and uid. */
export function controlledBy<T extends TypedObject>(indexer: Indexer<T>, { kind, metadata }: TypedObject): T[] {
  const { namespace, name = '', uid = '' } = metadata;
  return indexer.byIndex(BY_CONTROLLER, keyOf(namespace, { kind, name, uid }));
}

/** The objects of a namespace that no object controls. */
export function orphansIn<T extends TypedObject>(indexer: Indexer<T>, namespace: string | undefined): T[] {
  return indexer.byIndex(BY_CONTROLLER, orphansOf(namespace));
}

/** The objects that the owner may claim: those that it controls, and the orphans of its namespace. */
export function claimable<T extends TypedObject>(indexer: Indexer<T>, owner: TypedObject): T[] {
  return [...controlledBy(indexer, owner), ...orphansIn(indexer, owner.metadata.namespace)];
}

/** All objects that the controller of this one controls, this one among them; none if it has no controller. */
export function siblingsOf<T extends TypedObject>(indexer: Indexer<T>, object: T): T[] {
  const controller = controllerOf(object);
  return controller === undefined ? [] : indexer.byIndex(BY_CONTROLLER, keyOf(object.metadata.namespace, controller));
}
