import { ConnectionError, FLOW_CONTROL_ERROR, FRAME_SIZE_ERROR, PROTOCOL_ERROR } from './error-codes.js';
import { type Frame, LARGEST_WINDOW } from './frames.js';

const PING_BYTES = 8;
const WINDOW_UPDATE_BYTES = 4;

export function protocolError(message: string): ConnectionError {
  return new ConnectionError(PROTOCOL_ERROR, message);
}

/** Throws a {@link ConnectionError} for a frame that names a stream and must not. */
export function onConnection({ streamId }: Frame): void {
  if (streamId !== 0) throw protocolError('the frame concerns no stream');
}

/** The first 32 bits of a frame of a stream. `length`: the bytes of its payload. Throws a {@link ConnectionError}. */
export function numberOfStream({ streamId, payload }: Frame, length: number): number {
  if (streamId === 0) throw protocolError('the frame needs a stream');
  checkLength(payload, length);
  return payload.readUInt32BE(0);
}

/** The data of a PING, as 32-bit numbers. Throws a {@link ConnectionError}. */
export function pingNumbers(frame: Frame): readonly number[] {
  onConnection(frame);
  checkLength(frame.payload, PING_BYTES);
  return [frame.payload.readUInt32BE(0), frame.payload.readUInt32BE(4)];
}

/** In bytes; 0 is an error of the stream. Throws a {@link ConnectionError}. */
export function windowIncrement({ streamId, payload }: Frame): number {
  checkLength(payload, WINDOW_UPDATE_BYTES);
  const increment = payload.readUInt32BE(0) & LARGEST_WINDOW;
  if (increment === 0 && streamId === 0) throw protocolError('a window grows by nothing');
  return increment;
}

/** Throws a {@link ConnectionError} for a window beyond the largest. */
export function checkWindow(bytes: number): void {
  if (bytes > LARGEST_WINDOW) throw new ConnectionError(FLOW_CONTROL_ERROR, 'a window is too large');
}

function checkLength(payload: Buffer, length: number): void {
  if (payload.length !== length) throw new ConnectionError(FRAME_SIZE_ERROR, 'the frame has another size');
}
