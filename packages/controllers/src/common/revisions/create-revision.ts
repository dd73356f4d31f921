import { isObject, type JsonObject, parseJson } from '@binnacle/apimachinery/json';
import { ControllerRevision } from '@binnacle/client/kinds/apps/v1';
import { isAlreadyExists } from '@binnacle/client/rest';
import type { Writer } from '../writes/index.js';
import { hasData, revisionText } from './revision-data.js';

/**
 * Creates a revision. One of the same name and data is as good: it was created before a restart. Resolves to undefined if a revision with other data
 * has the name, so that the caller counts a collision.
 */
export async function createRevision(
  writer: Writer,
  revision: ControllerRevision & { readonly data: JsonObject },
): Promise<ControllerRevision | undefined> {
  try {
    return await writer.create<ControllerRevision>(ControllerRevision, { ...revision, data: inOrder(revision.data) });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const present = await writer.read(ControllerRevision, revision);
    return hasData(present, revision.data) ? present : undefined;
  }
}

/** kube-controller-manager takes a DaemonSet's revision for another one if its bytes differ, so the order of keys must be upstream's. */
function inOrder(data: JsonObject): JsonObject {
  const { value } = parseJson(revisionText(data));
  return isObject(value) ? value : data;
}
