export { decodeProtobuf } from './decode.js';
export { encodeField, encodeProtobuf } from './encode.js';
export { aroundMessage, type Envelope, isEnvelope, readEnvelope, wrapEnvelope } from './envelope.js';
export { frameWatchEvent } from './watch-frame.js';
export { type WireWriter, writeMessage } from './wire-writer.js';
