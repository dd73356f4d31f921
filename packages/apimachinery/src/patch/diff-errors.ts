import { formatGoValue, getOwn, isObject, type JsonObject } from '../json/index.js';

/** Returns whether the patch may be sent. */
export type PatchPrecondition = (patch: JsonObject) => boolean;

/** Forbids changes of the field `name`. Upstream: `mergepatch.RequireKeyUnchanged`. */
export function requireUnchanged(name: string): PatchPrecondition {
  return (patch) => getOwn(patch, name) === undefined;
}

/** Forbids changes of `metadata.<name>`. Upstream: `mergepatch.RequireMetadataKeyUnchanged`. */
export function requireMetadataUnchanged(name: string): PatchPrecondition {
  return (patch) => {
    const metadata = getOwn(patch, 'metadata');
    return !isObject(metadata) || getOwn(metadata, name) === undefined;
  };
}

/**
 * The patch changes a field that a precondition protects. The message is upstream's
 * (`mergepatch.ErrPreconditionFailed`).
 */
export class PatchPreconditionError extends Error {
  override readonly name = 'PatchPreconditionError';
  readonly patch: JsonObject;

  constructor(patch: JsonObject) {
    super(`precondition failed for: ${formatGoValue(patch)}`);
    this.patch = patch;
  }
}

export function checkPreconditions(patch: JsonObject, preconditions: readonly PatchPrecondition[]): void {
  if (!preconditions.every((holds) => holds(patch))) throw new PatchPreconditionError(patch);
}

/**
 * The patch and `changes`, made by others since the last apply, set the same field to different values. Upstream:
 * `mergepatch.ErrConflict`.
 */
export class PatchConflictError extends Error {
  override readonly name = 'PatchConflictError';
  readonly patch: JsonObject;
  readonly changes: JsonObject;

  constructor(patch: JsonObject, changes: JsonObject) {
    super('the patch conflicts with changes made from original to current');
    this.patch = patch;
    this.changes = changes;
  }
}
