/** HTTP/2 frames that no library would send. RFC 9113, section 4.1. */
export const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

const DATA = 0;
const HEADERS = 1;
const PRIORITY = 2;
const RST_STREAM = 3;
const SETTINGS = 4;
const PING = 6;
const WINDOW_UPDATE = 8;
const CONTINUATION = 9;
const END_STREAM = 1;
const END_HEADERS = 4;

export function frame(type, flags, stream, payload = Buffer.alloc(0)) {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

export const settings = () => frame(SETTINGS, 0, 0);
export const filledSettings = () => frame(SETTINGS, 0, 0, Buffer.from('000300000064', 'hex'));
export const ping = () => frame(PING, 0, 0, Buffer.alloc(8));
export const priority = (stream) => frame(PRIORITY, 0, stream, Buffer.from('0000000010', 'hex'));
export const windowUpdate = (stream) => frame(WINDOW_UPDATE, 0, stream, Buffer.from('00000001', 'hex'));
export const reset = (stream) => frame(RST_STREAM, 0, stream, Buffer.from('00000008', 'hex'));
export const data = (stream, payload) => frame(DATA, 0, stream, payload);
export const continuation = (stream, payload) => frame(CONTINUATION, 0, stream, payload);

/** A request, whose head is complete unless `open`, and whose body may follow unless `ends`. */
export function headers(stream, { method = 'GET', path = '/readyz', ends = true, open = false, token } = {}) {
  const flags = (ends ? END_STREAM : 0) | (open ? 0 : END_HEADERS);
  return frame(
    HEADERS,
    flags,
    stream,
    Buffer.concat([
      field(':method', method),
      field(':path', path),
      field(':scheme', 'https'),
      field(':authority', 'a'),
      ...(token === undefined ? [] : [field('authorization', `Bearer ${token}`)]),
    ]),
  );
}

/** An uncompressed header field: RFC 7541, section 6.2.2. */
function field(name, value) {
  return Buffer.concat([Buffer.of(0, name.length), Buffer.from(name), Buffer.of(value.length), Buffer.from(value)]);
}
