import { fnv32, safeEncode } from './fnv.js';

/** A name has 253 characters at most, of which a hash takes ten and a dash one; upstream leaves some more. */
const MAX_PREFIX = 223;

/**
 * The hash of the data of a ControllerRevision, as its name and its `controller-revision-hash` label have it. `data` is the JSON text that is
 * stored. Upstream: `HashControllerRevision`.
 */
export function revisionHash(data: string, collisionCount: number | undefined): string {
  const probe = collisionCount === undefined ? '' : String(collisionCount);
  return safeEncode(fnv32(Buffer.from(data + probe)));
}

/** The name of an owner's ControllerRevision. */
export function revisionName(owner: string, hash: string): string {
  return `${owner.slice(0, MAX_PREFIX)}-${hash}`;
}
