import { badRequest, resourceExpired, type StatusError } from '@binnacle/apimachinery/status';
import { KVError } from '@binnacle/kv';

export function notForStore(): StatusError {
  return badRequest('the store of this server, etcd, has neither snapshots nor forks');
}

export function forgotten(reason: string): StatusError {
  return resourceExpired(`The history is no longer kept: ${reason}.`);
}

/** A refusal of the store as a Status; other errors unchanged. */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof KVError)) return error;
  if (error.code === 'compacted') return forgotten(error.message);
  return error.code === 'future' ? badRequest(error.message) : error;
}
