import { type Component, Controller, finalize } from '@binnacle/client';
import { BucketAccessV1 as BucketAccess, BucketV1 as Bucket } from './generated/storage.js';
import { bucketKey, byBucket, nameInStore } from './names.js';
import type { ObjectStore } from './object-store.js';
import { orReportFailure, reportReady } from './ready.js';

const FINALIZER = 'storage.example.com/bucket';

/** Keeps a bucket in the store for every Bucket. */
export function bucketController(store: ObjectStore): Component {
  return new Controller({
    for: Bucket,
    // The last access that goes lets a Bucket go that waits for it.
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
        const message = `deleted when it is not in use any more: ${users.length} BucketAccess objects name it`;
        await reportReady(buckets, found, { status: 'False', reason: 'InUse', message }, context);
        return;
      }

      const cleanUp = async () => {
        if (found.spec.retain === true) return;
        await orReportFailure(buckets, found, context, () => store.deleteBucket(inStore));
      };
      // First the finalizer, then the bucket: whatever happens between the two, no bucket is forgotten.
      const bucket = await finalize(buckets, found, FINALIZER, cleanUp, { clock, signal });
      if (bucket === undefined) return;

      await orReportFailure(buckets, bucket, context, () => store.ensureBucket(inStore));
      const message = `the store has it as ${inStore}`;
      await reportReady(buckets, bucket, { status: 'True', reason: 'Created', message }, context);
    },
  });
}
