import { type Component, Controller, finalize } from '@binnacle/client';
import { BucketAccessV1 as BucketAccess, BucketV1 as Bucket } from './generated/storage.js';
import { bucketKey, byBucket, nameInStore } from './names.js';
import type { ObjectStore } from './object-store.js';
import { reportingFailure, reportReady } from './ready.js';

const FINALIZER = 'storage.example.com/bucket';

/** Ensures that every Bucket has a bucket in the store. */
export function bucketController(store: ObjectStore): Component {
  return new Controller({
    for: Bucket,
    // The deletion of the last access lets a terminating Bucket go.
    watches: [
      { resource: BucketAccess, map: ({ metadata, spec }) => [{ namespace: metadata.namespace, name: spec.bucket }] },
    ],
    reads: [{ resource: BucketAccess, indexes: { byBucket } }],

    async reconcile({ namespace = '', name }, context) {
      const { client, clock, lister, indexer, signal } = context;
      const found = lister(Bucket).namespace(namespace).get(name);
      if (found === undefined) return;
      const buckets = client.resource(Bucket);
      const inStore = nameInStore(namespace, name);

      const users = indexer(BucketAccess).byIndex('byBucket', bucketKey(namespace, name));
      if (found.metadata.deletionTimestamp !== undefined && users.length > 0) {
        const message = `waiting for ${users.length} BucketAccess objects to be deleted`;
        await reportReady(buckets, found, { status: 'False', reason: 'InUse', message }, context);
        return;
      }

      const cleanUp = async () => {
        if (found.spec.retain === true) return;
        await reportingFailure(buckets, found, context, () => store.deleteBucket(inStore));
      };
      // Add the finalizer before creating the bucket, so that no failure in between leaks a bucket.
      const bucket = await finalize(buckets, found, FINALIZER, cleanUp, { clock, signal });
      if (bucket === undefined) return;

      await reportingFailure(buckets, bucket, context, () => store.ensureBucket(inStore));
      const message = `created in the store as ${inStore}`;
      await reportReady(buckets, bucket, { status: 'True', reason: 'Created', message }, context);
    },
  });
}
