import { memberPath, withoutMember } from '@binnacle/apimachinery/json';
import { type Encoding, jsonEncoding, jsonFormat } from '@binnacle/client/rest';

const MANAGED_FIELDS = memberPath('metadata.managedFields');
const MANAGED_FIELDS_OF_EVENT = memberPath('object.metadata.managedFields');

/**
 * JSON whose objects and events are parsed without their managed fields, which no loop reads. Of an object with many list
 * items they are two thirds of the bytes and most of the time.
 */
export const trimmedEncoding: Encoding = {
  ...jsonEncoding,
  formats: [
    {
      ...jsonFormat,
      decode: (body) => jsonFormat.decode(withoutMember(body, MANAGED_FIELDS)),
      decodeEvent: (frame) => jsonFormat.decodeEvent(withoutMember(frame, MANAGED_FIELDS_OF_EVENT)),
    },
  ],
  ofKind: () => trimmedEncoding,
};
