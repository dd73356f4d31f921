import { formatGroupResource, type GroupResource } from '@binnacle/apimachinery/meta';
import { internalError, StatusError, unclassified } from '@binnacle/apimachinery/status';
import { corruptionOf, MAX_UNREADABLE, StorageError, type UnreadableObject } from '../storage/index.js';

/**
 * The answer of upstream's feature `AllowUnsafeMalformedObjectDeletion` to a request that reads an object which no one can
 * read; undefined for other errors. Upstream: apiserver `pkg/storage/etcd3/corrupt_obj_deleter.go`.
 */
export function unreadableStatus(error: unknown, verb: string, resource: GroupResource): StatusError | undefined {
  if (!(error instanceof StorageError)) return undefined;
  const [first] = error.unreadable;
  if (first === undefined) return undefined;
  switch (verb) {
    case 'list':
    case 'watch':
    case 'deletecollection':
      return listStatus(error.unreadable, resource);
    case 'update':
    case 'patch':
      // Upstream's update loop reads past the layer that names the object.
      return first.problem === 'undecodable'
        ? unclassified(corruptionOf(first))
        : internalError(new Error(corruptionOf(first)));
    default:
      return internalError(new Error(storageErrorText(first, withoutRoot(first.key))));
  }
}

function listStatus(unreadable: readonly UnreadableObject[], resource: GroupResource): StatusError {
  const causes = unreadable.slice(0, MAX_UNREADABLE).map((object) => ({
    reason: 'UnexpectedServerResponse',
    message: storageErrorText(object, object.key),
    field: object.key,
  }));
  const more = { reason: 'FieldValueTooMany', message: 'too many errors, the list is truncated' };
  const { group } = resource;
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `failed to read one or more ${formatGroupResource(resource)} from the storage`,
    reason: 'StorageReadError',
    details: {
      name: 'list',
      ...(group === '' ? {} : { group }),
      kind: resource.resource,
      causes: unreadable.length > MAX_UNREADABLE ? [...causes, more] : causes,
    },
    code: 500,
  });
}

function storageErrorText(object: UnreadableObject, key: string): string {
  const where = `Code: 7, Key: ${key}, ResourceVersion: 0`;
  return `StorageError: corrupt object, ${where}, AdditionalErrorMsg: ${corruptionOf(object)}`;
}

/** Upstream names the key of a single object below the root of all keys. */
function withoutRoot(key: string): string {
  return key.slice(key.indexOf('/', 1));
}
