import { messageOf } from '@binnacle/apimachinery/errors';
import { KVError, type KVErrorCode } from '../../interface/index.js';
import { type FrameReader, ProtocolError } from './frame-reader.js';
import type { FrameWriter } from './frame-writer.js';
import { readAll, writeAll } from './values.js';

/** Their order is the protocol. */
const CODES: readonly KVErrorCode[] = [
  'compacted',
  'future',
  'closed',
  'unavailable',
  'locked',
  'corrupt',
  'full',
  'too-large',
];
const RANGE = CODES.length;
const OTHER = CODES.length + 1;

/** A failure of the store, or of the request. Causes stay in the process where they happened. */
export function writeFailure(frame: FrameWriter, error: unknown): void {
  const message = messageOf(error);
  frame.byte(kindOf(error));
  frame.text(message);
  writeAll(frame, error instanceof KVError ? error.damaged : [], (to, { key, revision }) => {
    to.text(key);
    to.integer(revision);
  });
  const { forgotten } = error instanceof KVError ? error : { forgotten: undefined };
  // An empty text means that nothing is forgotten, because no prefix is empty.
  frame.text(forgotten?.prefix ?? '');
  frame.integer(forgotten?.revision ?? 0);
}

export function readFailure(frame: FrameReader): Error {
  const kind = frame.byte();
  const message = frame.text();
  const damaged = readAll(frame, (from) => ({ key: from.text(), revision: from.integer() }));
  const [prefix, revision] = [frame.text(), frame.integer()];
  const code = CODES[kind];
  const forgotten = prefix === '' ? {} : { forgotten: { prefix, revision } };
  if (code !== undefined) return new KVError(code, message, { damaged, ...forgotten });
  if (kind === RANGE) return new RangeError(message);
  if (kind === OTHER) return new Error(message);
  throw new ProtocolError(`a failure has the unknown code ${kind}`);
}

function kindOf(error: unknown): number {
  if (error instanceof KVError) return CODES.indexOf(error.code);
  return error instanceof RangeError ? RANGE : OTHER;
}
