const KIB = 1024;
const MIB = 1024 * KIB;

/** One decoded object with its response and its place in a queue. */
const SMALL = 256 * KIB;
/** A watch: its connection and stream, and the events that wait for the client. 85 KB were measured. */
const WATCH = 96 * KIB;
/**
 * A stream to a pod or another server: two connections, and what waits in both directions for those who do not read. 300 to 600 KB
 * were measured.
 */
const STREAM = 512 * KIB;
/** Parts of a response that wait for the socket. */
const LIST = 2 * MIB;
/** A page of history: two objects for each event, up to 4 MiB and one event more. */
const HISTORY = 10 * MIB;
/** The cost per object in a list. The cache holds the objects themselves. */
const REFERENCE = 100;
/** The cost per initial event of a watch: it waits, is written to the connection and encrypted. 215 bytes were measured. */
const INITIAL_EVENT = 220;
/**
 * A document is read, decoded, defaulted, compared with the old state, and written. Each step needs memory. Decoded, empty
 * objects take 25 times their bytes, and nested lists 65 times.
 */
const DOCUMENT_FACTOR = 40;
/**
 * The cost of the request target, per byte. A selector of 700 KB is parsed to 100,000 values, which live as long as the request.
 */
const TARGET_FACTOR = 20;
/** The cost of header fields, per byte: they are held as received, and as parsed. */
const HEADER_FACTOR = 2;
/** An answer with one object is encoded at once, and held until the client has read it. */
const ANSWER_FACTOR = 2;

/** Smaller heads are not counted before a request is served. As many requests as may wait hold 100 MiB of them. */
const LARGE_HEAD = 16 * KIB;

/**
 * The bytes of memory that the head of a request takes until the request is served: as received, and as parsed. 0 for
 * one of usual size.
 */
export function headMemory(targetBytes: number, headerBytes: number): number {
  const bytes = targetBytes + headerBytes;
  return bytes < LARGE_HEAD ? 0 : bytes * HEADER_FACTOR;
}

/** Facts about a request before any work on it. */
export interface RequestShape {
  readonly verb: string;
  /** Whether it lasts as long as its client likes. */
  readonly longRunning: boolean;
  /** Whether it connects its client with a pod or another server. */
  readonly isConnection: boolean;
  /** The size of the body; 0 = no body. Undefined = unknown: the estimate then covers reading the largest body. */
  readonly bodyBytes: number | undefined;
  /** Whether it reads events of the past. */
  readonly isHistory: boolean;
  /** The maximum size of a body. */
  readonly largestBody: number;
  /** The number of objects in the collection that it reads, if any. */
  readonly objects: number;
  /** The size of the object that it names; 0 = none, or not known. */
  readonly objectBytes: number;
  /** The sizes of the path with its query, and of the header fields. */
  readonly targetBytes: number;
  readonly headerBytes: number;
}

/**
 * Estimates the bytes of memory that a request needs while it is served. The estimate is above that of usual requests.
 */
export function estimateMemory(shape: RequestShape): number {
  const { verb, longRunning, isConnection, isHistory, bodyBytes, largestBody, objects, objectBytes } = shape;
  const { targetBytes, headerBytes } = shape;
  const head = targetBytes * TARGET_FACTOR + headerBytes * HEADER_FACTOR;
  if (isConnection) return STREAM + head;
  if (longRunning) return WATCH + head + objects * INITIAL_EVENT;
  if (isHistory) return HISTORY + head;
  if (verb === 'list' || verb === 'deletecollection') return LIST + head + objects * REFERENCE;
  const small = SMALL + head + objectBytes * ANSWER_FACTOR;
  return bodyBytes === undefined ? small + largestBody : small + Math.min(bodyBytes, largestBody) * DOCUMENT_FACTOR;
}
