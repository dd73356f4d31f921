import {
  type Component,
  Controller,
  finalize,
  isConditionTrue,
  type SharedInformerFactory,
  withControllerReference,
} from '@binnacle/client';
import { Secret } from '@binnacle/client/kinds/core/v1';
import { BucketAccessV1 as BucketAccess, BucketV1 as Bucket } from './generated/storage.js';
import { bucketKey, byBucket, nameInStore } from './names.js';
import type { ObjectStore } from './object-store.js';
import { reportingFailure, reportReady } from './ready.js';

const FINALIZER = 'storage.example.com/key';

/** Ensures that every BucketAccess has a key in the store and a Secret with the key. */
export function accessController(store: ObjectStore, informers: SharedInformerFactory): Component {
  const accesses = informers.informer(BucketAccess, { indexes: { byBucket } }).indexer;
  return new Controller({
    for: BucketAccess,
    owns: [Secret],
    // A change of a Bucket reconciles all accesses to it.
    watches: [
      {
        resource: Bucket,
        map: ({ metadata: { namespace = '', name = '' } }) =>
          accesses
            .byIndex('byBucket', bucketKey(namespace, name))
            .map(({ metadata }) => ({ namespace, name: metadata.name ?? '' })),
      },
    ],

    async reconcile({ namespace = '', name }, context) {
      const { client, clock, lister, signal } = context;
      const found = lister(BucketAccess).namespace(namespace).get(name);
      if (found === undefined) return;
      const inStore = nameInStore(namespace, found.spec.bucket);
      const all = client.resource(BucketAccess);

      const cleanUp = () => reportingFailure(all, found, context, () => store.revokeKey(inStore, name));
      const access = await finalize(all, found, FINALIZER, cleanUp, { clock, signal });
      if (access === undefined) return;

      const bucket = lister(Bucket).namespace(namespace).get(access.spec.bucket);
      if (!isConditionTrue(bucket?.status?.conditions, 'Ready')) {
        const message = `Bucket ${access.spec.bucket} is missing or not ready`;
        await reportReady(all, access, { status: 'False', reason: 'BucketNotReady', message }, context);
        return; // A change of the Bucket reconciles the access again.
      }

      const key = await reportingFailure(all, access, context, () => store.ensureKey(inStore, name));
      // Server-side apply creates or corrects the Secret, and writes nothing if it is already correct.
      const options = { fieldManager: 'bucket-operator', force: true, signal };
      await client.resource(Secret).apply(secretFor(access, inStore, key), options);
      const message = `Secret ${name} has the key`;
      await reportReady(all, access, { status: 'True', reason: 'KeyGranted', message }, context);
    },
  });
}

function secretFor(access: BucketAccess, bucket: string, key: string): Secret {
  const { name = '', namespace = '' } = access.metadata;
  const data = { bucket: Buffer.from(bucket).toString('base64'), key: Buffer.from(key).toString('base64') };
  return withControllerReference<Secret>(
    { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, data },
    access,
  );
}
