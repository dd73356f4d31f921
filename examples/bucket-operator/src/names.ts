import type { BucketAccessV1 as BucketAccess } from './generated/storage.js';

/** Unique, because the names of namespaces contain no dots. */
export const nameInStore = (namespace: string, bucket: string): string => `${namespace}.${bucket}`;

export const bucketKey = (namespace: string, bucket: string): string => `${namespace}/${bucket}`;

/** An index of the accesses by bucket. */
export const byBucket = ({ metadata, spec }: BucketAccess): string[] => [
  bucketKey(metadata.namespace ?? '', spec.bucket),
];
