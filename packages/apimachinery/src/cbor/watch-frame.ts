import { CBOR_PREFIX } from '../serializer/index.js';
import { encodeCborItem } from './encode.js';
import { MAP } from './item-type.js';

const FIELDS = 2;
const HEAD = Buffer.concat([CBOR_PREFIX, Uint8Array.of((MAP << 5) | FIELDS), encodeCborItem('type')]);
const OBJECT = encodeCborItem('object');

/** One event of a watch, around the document of its object. Frames need nothing between them: an item says where it ends. */
export function frameWatchEvent(type: string, object: Uint8Array): Buffer {
  return Buffer.concat([HEAD, encodeCborItem(type), OBJECT, object]);
}
