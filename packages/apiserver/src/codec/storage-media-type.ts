import type { JSON_MEDIA_TYPE, PROTOBUF_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';

/** In which encoding objects are written to the store. Either is read, whatever is written. */
export type StorageMediaType = typeof JSON_MEDIA_TYPE | typeof PROTOBUF_MEDIA_TYPE;
