export { decodeProtobuf, decodeProtobufInSteps, type DecodeProtobufOptions } from './decode.js';
export { encodeProtobuf, messageField, messageFieldLength, transcodeJson, transcodeJsonInSteps } from './encode.js';
export { aroundMessage, type Envelope, readEnvelope, wrapEnvelope } from './envelope.js';
export { frameWatchEvent, readWatchEvent, readWatchFrames, type WatchFrame } from './watch-frame.js';
export { WireReader } from './wire-reader.js';
export { DELIMITED, FIXED32, FIXED64, tagOf, VARINT } from './wire-type.js';
export { WireWriter, writeMessage } from './wire-writer.js';
