export { CborError } from './cbor-error.js';
export { type DecodedCbor, decodeCbor } from './decode.js';
export { encodeCbor, encodeCborItem, listHead } from './encode.js';
export { frameWatchEvent } from './watch-frame.js';
