import type { JSON_MEDIA_TYPE, PROTOBUF_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';

/** The encoding in which objects are written to the store. Both are read, whichever is written. */
export type StorageMediaType = typeof JSON_MEDIA_TYPE | typeof PROTOBUF_MEDIA_TYPE;
