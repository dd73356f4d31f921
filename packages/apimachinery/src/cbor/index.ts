export { CborError } from './cbor-error.js';
export { type DecodedCbor, decodeCbor, decodeCborInSteps } from './decode.js';
export { encodeCbor, encodeCborInSteps, encodeCborItem, aroundList } from './encode.js';
export { frameWatchEvent } from './watch-frame.js';
