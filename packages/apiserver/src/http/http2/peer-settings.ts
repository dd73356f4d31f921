import { ConnectionError, FLOW_CONTROL_ERROR, FRAME_SIZE_ERROR, PROTOCOL_ERROR } from './error-codes.js';
import { onConnection } from './control-frames.js';
import {
  ACK,
  DEFAULT_FRAME_SIZE,
  ENABLE_PUSH,
  type Frame,
  INITIAL_WINDOW_SIZE,
  LARGEST_FRAME_SIZE,
  LARGEST_WINDOW,
  MAX_FRAME_SIZE,
} from './frames.js';

const SETTING_BYTES = 6;

/** What a client changes with SETTINGS. Other settings do not concern a server that pushes nothing and
 * compresses without a dynamic table. */
export interface SettingsChange {
  readonly initialWindowSize?: number;
  readonly maxFrameSize?: number;
}

/** Whether a SETTINGS frame confirms those of the server. Throws a {@link ConnectionError}. */
export function isConfirmation(frame: Frame): boolean {
  onConnection(frame);
  if ((frame.flags & ACK) === 0) return false;
  if (frame.payload.length > 0) throw new ConnectionError(FRAME_SIZE_ERROR, 'a confirmation has settings');
  return true;
}

/** The last value of each setting counts. Throws a {@link ConnectionError}. RFC 9113, section 6.5. */
export function readSettings(payload: Buffer): SettingsChange {
  if (payload.length % SETTING_BYTES !== 0) throw new ConnectionError(FRAME_SIZE_ERROR, 'a setting is incomplete');
  const settings = new Map<number, number>();
  for (let at = 0; at < payload.length; at += SETTING_BYTES) {
    settings.set(payload.readUInt16BE(at), payload.readUInt32BE(at + 2));
  }
  const initialWindowSize = settings.get(INITIAL_WINDOW_SIZE);
  const maxFrameSize = settings.get(MAX_FRAME_SIZE);
  if ((settings.get(ENABLE_PUSH) ?? 0) > 1) throw new ConnectionError(PROTOCOL_ERROR, 'push is neither on nor off');
  if ((initialWindowSize ?? 0) > LARGEST_WINDOW) {
    throw new ConnectionError(FLOW_CONTROL_ERROR, 'the initial window is too large');
  }
  if (maxFrameSize !== undefined && (maxFrameSize < DEFAULT_FRAME_SIZE || maxFrameSize > LARGEST_FRAME_SIZE)) {
    throw new ConnectionError(PROTOCOL_ERROR, 'the frame size is out of range');
  }
  return {
    ...(initialWindowSize === undefined ? {} : { initialWindowSize }),
    ...(maxFrameSize === undefined ? {} : { maxFrameSize }),
  };
}
