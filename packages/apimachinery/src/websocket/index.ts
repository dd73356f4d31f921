export type { MessagePart } from './frame-reader.js';
export { openingAnswer } from './handshake.js';
export { WebSocketConnection, type WebSocketConnectionOptions } from './websocket-connection.js';
