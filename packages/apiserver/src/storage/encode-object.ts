import { isNestedDeeper, MAX_JSON_DEPTH } from '@binnacle/apimachinery/json';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { badRequest } from '@binnacle/apimachinery/status';
import { inSlices, stage } from '../slices/index.js';
import type { StorageCodec } from './codec.js';
import { checkManagersSize } from './managers-limit.js';

/**
 * The maximum nesting of a stored object. Managed fields nest deeper than the document of the client, and the object
 * must stay readable inside lists, events, tables and reviews.
 */
const MAXIMUM_DEPTH = MAX_JSON_DEPTH - 8;
const TOO_DEEP = `the object nests too deeply: ${MAXIMUM_DEPTH} levels are the most, its managed fields included`;

export interface EncodedObject {
  /** The bytes for the store. */
  readonly stored: Uint8Array;
  /** The same bytes where the store keeps canonical ones. */
  readonly canonical: Uint8Array;
}

/**
 * Encodes in slices. Rejects an object that nests too deep with a StatusError, and one with too many managed fields with StorageError
 * `too-large`.
 */
export async function encodeObject(codec: StorageCodec, object: Readonly<KubernetesObject>): Promise<EncodedObject> {
  const loading = codec.beforeWriting();
  if (loading !== undefined) await loading;
  await stage();
  const canonical = await inSlices(codec.encodeInSteps(object));
  await stage();
  checkManagersSize(codec, canonical);
  if (isNestedDeeper(canonical, MAXIMUM_DEPTH)) throw badRequest(TOO_DEEP);
  const stored = codec.toStored(canonical);
  await stage();
  return { stored, canonical };
}
