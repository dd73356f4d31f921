/** The longest body of a frame. */
export const MAX_FRAME_BYTES = 64 * 1024 * 1024;

/** The longest request. An event carries the values of two, and must fit into a frame. */
export const MAX_REQUEST_BYTES = MAX_FRAME_BYTES / 4;

/** Raised with each change of the protocol. Both sides must have the same. */
export const PROTOCOL_VERSION = 4;
