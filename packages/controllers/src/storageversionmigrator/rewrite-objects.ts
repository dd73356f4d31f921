import { compareResourceVersions, formatGroupVersion } from '@binnacle/apimachinery/meta';
import { StatusError } from '@binnacle/apimachinery/status';
import type { ApiResource } from '@binnacle/client/discovery';
import type { DynamicClient } from '@binnacle/client/dynamic';
import {
  isConflict,
  isExpired,
  isInternalError,
  isServerTimeout,
  isServiceUnavailable,
  isTimeout,
  isTooManyRequests,
} from '@binnacle/client/rest';

/** Upstream's controller manages no field by it: it applies nothing but identity. */
const FIELD_MANAGER = 'storage-version-migrator-controller';
const PAGE_SIZE = 500;

/** Failures of the server, and none of the object. Upstream: `isRetriableError`. */
const passing = [isServerTimeout, isTooManyRequests, isServiceUnavailable, isInternalError, isTimeout, isExpired];

interface Target {
  readonly namespace: string | undefined;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

export interface RewriteOptions {
  readonly client: DynamicClient;
  readonly signal: AbortSignal;
}

/** The version of the resource now. The objects of later versions are stored as the server stores new ones. */
export async function latestVersion({ resource }: ApiResource, { client, signal }: RewriteOptions): Promise<string> {
  const { metadata } = await client.resource(resource).list({ limit: 1, metadataOnly: true, signal });
  return metadata.resourceVersion ?? '';
}

/**
 * Sends an empty apply patch for each object that has not changed since the checkpoint. The server rewrites those whose stored form is outdated.
 * Rejects with the server's error if one object cannot be written; {@link mayPass} tells whether another attempt may succeed. A repetition is
 * harmless.
 */
export async function rewriteObjects(served: ApiResource, checkpoint: string, options: RewriteOptions): Promise<void> {
  for (const target of await targetsOf(served, checkpoint, options)) await rewrite(served, target, options);
}

/** Whether another attempt may succeed. */
export function mayPass(error: unknown): boolean {
  return !(error instanceof StatusError) || passing.some((is) => is(error));
}

/** Identities only, and read before the first write: a token for the next page may expire meanwhile. */
async function targetsOf(
  { resource }: ApiResource,
  checkpoint: string,
  { client, signal }: RewriteOptions,
): Promise<Target[]> {
  const targets: Target[] = [];
  for await (const { metadata } of client.resource(resource).items({ limit: PAGE_SIZE, metadataOnly: true, signal })) {
    const { namespace, name = '', uid = '', resourceVersion = '' } = metadata;
    if (compareResourceVersions(resourceVersion, checkpoint) <= 0) {
      targets.push({ namespace, name, uid, resourceVersion });
    }
  }
  return targets;
}

async function rewrite(
  { resource, kind, namespaced }: ApiResource,
  { namespace, name, uid, resourceVersion }: Target,
  { client, signal }: RewriteOptions,
): Promise<void> {
  const objects = client.resource(resource);
  const scoped = namespaced && namespace !== undefined ? objects.namespace(namespace) : objects;
  // With the uid, no object is created. With the version, no newer one is touched.
  const body = { apiVersion: formatGroupVersion(resource), kind: kind.kind, metadata: { uid, resourceVersion } };
  try {
    await scoped.patch(name, { type: 'apply', body }, { fieldManager: FIELD_MANAGER, signal });
  } catch (error) {
    // It was written or deleted meanwhile.
    if (!isConflict(error)) throw error;
  }
}
