import type { JsonObject } from '@binnacle/apimachinery/json';
import { type DeleteOptions, IGNORE_READ_ERROR } from './delete-options.js';

/**
 * The options of a write as an object of kind CreateOptions or UpdateOptions, as webhooks and policies see them. The
 * query has passed the checks of `parseCreateOptions` and similar functions.
 */
export function writeOptionsDocument(kind: 'CreateOptions' | 'UpdateOptions', query: URLSearchParams): JsonObject {
  const dryRun = query.getAll('dryRun');
  const fieldManager = query.get('fieldManager') ?? '';
  const fieldValidation = query.get('fieldValidation') ?? '';
  return {
    ...typeOf(kind),
    ...(dryRun.length === 0 ? {} : { dryRun }),
    ...(fieldManager === '' ? {} : { fieldManager }),
    ...(fieldValidation === '' ? {} : { fieldValidation }),
  };
}

/** The same for a delete. */
export function deleteOptionsDocument(options: DeleteOptions): JsonObject {
  const { gracePeriodSeconds, preconditions, orphanDependents, propagationPolicy, dryRun, ignoreStoreReadError } =
    options;
  const { uid, resourceVersion } = preconditions;
  const expected = {
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
  return {
    ...typeOf('DeleteOptions'),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(Object.keys(expected).length === 0 ? {} : { preconditions: expected }),
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(dryRun ? { dryRun: ['All'] } : {}),
    ...(ignoreStoreReadError === undefined ? {} : { [IGNORE_READ_ERROR]: ignoreStoreReadError }),
  };
}

function typeOf(kind: string): JsonObject {
  return { kind, apiVersion: 'meta.k8s.io/v1' };
}
