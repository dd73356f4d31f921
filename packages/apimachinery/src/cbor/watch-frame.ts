import { CBOR_PREFIX } from '../serializer/index.js';
import { encodeCborItem } from './encode.js';
import { MAP } from './item-type.js';

const FIELDS = 2;
const HEAD = Buffer.concat([CBOR_PREFIX, Uint8Array.of((MAP << 5) | FIELDS), encodeCborItem('type')]);
const OBJECT = encodeCborItem('object');

/**
 * Frames a watch event around the document of its object. Frames need no separator, because items are self-delimiting.
 */
export function frameWatchEvent(type: string, object: Uint8Array): Buffer {
  return Buffer.concat([HEAD, encodeCborItem(type), OBJECT, object]);
}
