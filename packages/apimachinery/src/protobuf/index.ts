export { decodeProtobuf } from './decode.js';
export { encodeProtobuf } from './encode.js';
export { type Envelope, isEnvelope, readEnvelope, wrapEnvelope } from './envelope.js';
export { type WireWriter, writeMessage } from './wire-writer.js';
