const KIB = 1024;
const MIB = 1024 * KIB;

/** One object decoded, answered, kept in a queue. */
const SMALL = 256 * KIB;
/** A watch: its stream, and what waits for a client that reads. */
const WATCH = 64 * KIB;
/** Pieces of an answer that wait for the socket. */
const LIST = 2 * MIB;
/** What a list, or the first events of a watch, has of an object that the cache keeps. */
const REFERENCE = 100;
/** A document takes so many times its bytes: it is read, decoded, defaulted, compared with its old state, and written. */
const DOCUMENT_FACTOR = 16;

/** What is known of a request before anything is done for it. */
export interface RequestShape {
  readonly verb: string;
  /** It may go on for as long as its client likes. */
  readonly longRunning: boolean;
  /** Of the body; undefined = the client does not say. 0 = there is none. */
  readonly bodyBytes: number | undefined;
  /** The most that a body may have. */
  readonly largestBody: number;
  /** Of the collection that it reads, where it reads one. */
  readonly objects: number;
}

/** Bytes of memory that a request may take while it is served. An estimate: what usual requests of its kind take, and more. */
export function estimateMemory({ verb, longRunning, bodyBytes, largestBody, objects }: RequestShape): number {
  if (longRunning) return WATCH + objects * REFERENCE;
  if (verb === 'list' || verb === 'deletecollection') return LIST + objects * REFERENCE;
  return SMALL + Math.min(bodyBytes ?? largestBody, largestBody) * DOCUMENT_FACTOR;
}
