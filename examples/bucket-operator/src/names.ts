import type { BucketAccessV1 as BucketAccess } from './generated/storage.js';

/** A namespace has no dot in its name, so no two buckets share one. */
export const nameInStore = (namespace: string, bucket: string): string => `${namespace}.${bucket}`;

export const bucketKey = (namespace: string, bucket: string): string => `${namespace}/${bucket}`;

/** An index: finds the accesses of a bucket without looking at all. */
export const byBucket = ({ metadata, spec }: BucketAccess): string[] => [
  bucketKey(metadata.namespace ?? '', spec.bucket),
];
