/** Of RFC 6455. */
const KEY_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** The answer that opens a WebSocket. `sha1` returns the digest of a text in base64. `protocol`: the chosen sub-protocol. */
export function openingAnswer(key: string, protocol: string | undefined, sha1: (text: string) => string): string {
  const chosen = protocol === undefined || protocol === '' ? '' : `Sec-WebSocket-Protocol: ${protocol}\r\n`;
  const accepted = `Sec-WebSocket-Accept: ${sha1(key + KEY_SUFFIX)}\r\n`;
  return `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n${accepted}${chosen}\r\n`;
}
