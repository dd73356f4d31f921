import { formatGoValue, getOwn, isObject, type JsonObject } from '../json/index.js';

/** True when the patch may be sent. */
export type PatchPrecondition = (patch: JsonObject) => boolean;

/** The patch must not touch the field `name`. Upstream: `mergepatch.RequireKeyUnchanged`. */
export function requireUnchanged(name: string): PatchPrecondition {
  return (patch) => getOwn(patch, name) === undefined;
}

/** The patch must not touch `metadata.<name>`. Upstream: `mergepatch.RequireMetadataKeyUnchanged`. */
export function requireMetadataUnchanged(name: string): PatchPrecondition {
  return (patch) => {
    const metadata = getOwn(patch, 'metadata');
    return !isObject(metadata) || getOwn(metadata, name) === undefined;
  };
}

/** A patch touches what its maker was told to leave alone. The message is upstream's (`mergepatch.ErrPreconditionFailed`). */
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

/** The patch and `changes`, what others did since the last apply, set the same field differently. Upstream: `mergepatch.ErrConflict`. */
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
