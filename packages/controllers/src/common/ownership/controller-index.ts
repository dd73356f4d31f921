import type { Indexer } from '@binnacle/client/cache';
import { controllerOf } from '@binnacle/client/controller';
import type { TypedObject } from '@binnacle/client/typed';

const BY_CONTROLLER = 'controller';

/** By the uid of their controller, or by their namespace if they have none. Slashes separate the two. */
function byController(object: TypedObject): string[] {
  return [controllerOf(object)?.uid ?? orphansOf(object.metadata.namespace)];
}

function orphansOf(namespace = ''): string {
  return `${namespace}/`;
}

/** For `reads` of a controller: the index that the functions of this file look up. All loops share it. */
export const controllerIndexes = { [BY_CONTROLLER]: byController };

/** The objects that the owner controls, found by its uid. */
export function controlledBy<T extends TypedObject>(indexer: Indexer<T>, owner: TypedObject): T[] {
  return indexer.byIndex(BY_CONTROLLER, owner.metadata.uid ?? '');
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
  const { uid } = controllerOf(object) ?? {};
  return uid === undefined ? [] : indexer.byIndex(BY_CONTROLLER, uid);
}
