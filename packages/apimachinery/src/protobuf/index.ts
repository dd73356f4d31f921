export { decodeProtobuf, type DecodeProtobufOptions } from './decode.js';
export { encodeProtobuf, transcodeJson } from './encode.js';
export { aroundMessage, type Envelope, readEnvelope, wrapEnvelope } from './envelope.js';
export { messageField, messageFieldLength } from './message-field.js';
export { frameWatchEvent, readWatchEvent, readWatchFrames, type WatchFrame } from './watch-frame.js';
export { type WireWriter, writeMessage } from './wire-writer.js';
