export { CborError } from './cbor-error.js';
export { type DecodedCbor, decodeCbor } from './decode.js';
export { CBOR_PREFIX, encodeCbor, encodeCborItem, isCbor, listHead } from './encode.js';
export { frameWatchEvent } from './watch-frame.js';
