import type { WireReader } from './wire-reader.js';
import { DELIMITED } from './wire-type.js';

/**
 * Reads the bytes in Go's message around an object of unknown type, up to the reader's limit; undefined if there are
 * none.
 */
export function readRaw(reader: WireReader): Uint8Array | undefined {
  let raw: Uint8Array | undefined;
  while (!reader.atEnd) {
    reader.tag('RawExtension');
    if (reader.number === 1) {
      reader.expect(DELIMITED, 'Raw');
      raw = reader.bytes();
    } else {
      reader.skip();
    }
  }
  return raw;
}
