import { type Clock, type Random, sleep } from '@binnacle/apimachinery/clock';
import { StatusError } from '@binnacle/apimachinery/status';
import { type Representation, type StreamEncoding, streamEncodingOf } from '../answers/index.js';
import type { CacherWatch, EventSequence } from '../cacher/index.js';
import { writeStream } from '../http/index.js';
import {
  type ListOptions,
  type PresentDemand,
  presentDemandOf,
  type RequestContext,
  type ResponseStream,
  type WatchCut,
  type WatchCutEnd,
} from '../request/index.js';
import { isTurnOver, Pauses } from '../slices/index.js';
import { Alarm } from './alarm.js';
import type { ResourceEndpoint } from './endpoint.js';
import { FirstEvents } from './first-events.js';
import { FrameEncoder } from './frame-encoder.js';
import type { Selection } from './selection.js';

/** The mean interval between bookmarks. Upstream: cacher `defaultBookmarkFrequency`. */
const BOOKMARK_INTERVAL_MS = 60_000;
/** How long before the timeout the last bookmark is sent. Upstream: `bookmarkFrequency` of cache watchers. */
const BOOKMARK_LEAD_MS = 2000;
/**
 * Frames are batched up to this size. A client that does not read holds up one such piece, and so does each of thousands of watches
 * that wait for one connection. It fills one frame of HTTP/2, and one record of TLS.
 */
const PIECE_BYTES = 16 * 1024;
/** How long a slow client may take to read the last piece before its stream is closed. */
const LAST_WORDS_MS = 5000;

const INITIAL_EVENTS_END = { 'k8s.io/initial-events-end': 'true' };

/**
 * Streams events until the client disconnects, the time is up, or the watcher ends. Every event reaches the client
 * once and in order, or the stream ends.
 */
export async function serveWatch(
  context: RequestContext,
  endpoint: ResourceEndpoint,
  options: ListOptions,
  selection: Selection,
  representation: Representation,
): Promise<void> {
  const printer =
    representation.as === 'Table' ? await endpoint.printer(endpoint.main.codec.groupVersionKind) : undefined;
  const encoding = await streamEncodingOf(representation.mediaType);
  const encoder = new FrameEncoder(context, endpoint, representation, encoding, printer);
  const demand = presentDemandOf(options.resourceVersion);
  // A watch that names no revision begins with the present objects, however it spells that.
  const initialEvents = options.sendInitialEvents ?? demand.type !== 'at-least';
  const watch = await openWatch(endpoint, selection, demand, initialEvents);
  if (watch instanceof StatusError) {
    const stream = await openStream(context, encoding);
    stream?.write(encoder.error(watch));
    stream?.end();
    return;
  }
  const stop = (): void => watch.stop();
  const { signal } = context.exchange;
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (signal.aborted) stop();
    const stream = await openStream(context, encoding);
    if (stream === undefined) return;
    const announceEnd = options.sendInitialEvents === true && options.allowWatchBookmarks;
    using firstEvents = new FirstEvents(endpoint.clock, () => context.watchInitialized());
    await streamEvents({
      watch,
      stream,
      eventSent: endpoint.eventSent,
      encoder,
      bookmarks: options.allowWatchBookmarks,
      announceEnd,
      deadline: endpoint.clock.monotonic() + lifetimeMs(options, endpoint),
      clock: endpoint.clock,
      random: endpoint.random,
      cut: context.watchCut,
      firstEvents,
      initialized: () => {
        firstEvents.sent();
        if (announceEnd) endpoint.initialEventsSent?.(context.info, endpoint.clock.monotonic() - context.receivedAt);
      },
    });
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

/** Upstream reports a revision that it does not reach in an event. */
async function openWatch(
  endpoint: ResourceEndpoint,
  selection: Selection,
  demand: PresentDemand,
  initialEvents: boolean,
): Promise<CacherWatch | StatusError> {
  try {
    return await endpoint.store.reader.watch(selection, demand, initialEvents);
  } catch (error) {
    if (error instanceof StatusError && error.code === 504) return error;
    throw error;
  }
}

/** Undefined: the client is gone. */
async function openStream(context: RequestContext, encoding: StreamEncoding): Promise<ResponseStream | undefined> {
  const { webSocket } = context.exchange;
  if (webSocket !== undefined) return webSocket.accept();
  return writeStream(context, 200, { 'content-type': encoding.streamContentType });
}

interface Session {
  readonly watch: CacherWatch;
  readonly stream: ResponseStream;
  readonly eventSent: ResourceEndpoint['eventSent'];
  readonly encoder: FrameEncoder;
  readonly bookmarks: boolean;
  /** The client asked for a bookmark after the initial events. */
  readonly announceEnd: boolean;
  /** On the monotonic clock. */
  readonly deadline: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly cut: WatchCut | undefined;
  readonly firstEvents: FirstEvents;
  /** Called when the initial events are written. */
  readonly initialized: () => void;
}

async function streamEvents(session: Session): Promise<void> {
  const { watch, stream, encoder, deadline, clock, cut } = session;
  const { watcher } = watch;
  cut?.opened(() => watcher.nudge());
  using alarm = new Alarm(clock, () => watcher.nudge());
  let nextBookmark = session.bookmarks ? bookmarkTime(session) : Number.POSITIVE_INFINITY;
  let first = true;
  for (;;) {
    if (!first && cut?.end === undefined && watcher.idle) {
      alarm.set(Math.min(deadline, nextBookmark));
      await watcher.wait();
    }
    const announceAt = first && session.announceEnd ? watch.initialCount : -1;
    const sent = await sendTaken(session, announceAt);
    if (sent === undefined) return;
    const { revision, ended } = sent;
    if (first) session.initialized();
    first = false;
    if (cut?.end !== undefined) return await endEarly(session, cut.end);
    if (clock.monotonic() >= nextBookmark && ended === undefined) {
      if (revision >= watch.initialRevision && !(await write(session, [encoder.bookmark(revision, undefined)]))) return;
      nextBookmark = bookmarkTime(session);
    }
    if (ended?.type === 'failed' && !(await write(session, [encoder.error(ended.error)]))) return;
    if (ended !== undefined || clock.monotonic() >= deadline) break;
  }
  stream.end();
}

/**
 * Sends all events that wait. Undefined after the last piece. A function of its own: one that waits for more events would
 * keep the last ones until then, because a suspended function keeps all its variables.
 */
async function sendTaken(session: Session, announceAt: number) {
  const { watch, encoder, cut } = session;
  const { watcher } = watch;
  // Events and their revision must be taken together: more events arrive while this piece is written.
  const taken = watcher.take();
  const events = cut === undefined ? taken : taken.first(cut.pass(taken));
  const revision = watch.revision();
  const { ended } = watcher;
  const pauses = new Pauses();
  for (const piece of pieces(encoder, events, announceAt, watch.initialRevision)) {
    // Thousands of watches may begin to write in one turn.
    if (isTurnOver()) await pauses.next();
    if (!(await write(session, piece))) return undefined;
  }
  return { revision, ended };
}

/** Sends the client what is already written, and then the requested end. */
async function endEarly(session: Session, { error, isBroken }: WatchCutEnd): Promise<void> {
  const { stream, encoder, clock } = session;
  if (error !== undefined && !(await write(session, [encoder.error(error)]))) return;
  if (!isBroken) {
    stream.end();
    return;
  }
  const latest = clock.monotonic() + LAST_WORDS_MS;
  while (stream.pendingBytes > 0 && clock.monotonic() < latest) await sleep(clock, 1);
  stream.destroy();
}

/**
 * Batches frames into pieces of moderate size, and encodes each while the one before is being sent. The events of one
 * revision stay together, so that a client can resume after any piece.
 */
function* pieces(
  encoder: FrameEncoder,
  events: EventSequence,
  announceAt: number,
  initialRevision: number,
): Generator<readonly Uint8Array[]> {
  let frames: Uint8Array[] = [];
  let size = 0;
  let last = 0;
  for (let index = 0; index <= events.length; index++) {
    const event = events.at(index);
    // Before the next event is encoded: a client that does not read holds up one large event, not two.
    if (event !== undefined && size + event.object.size > PIECE_BYTES && size > 0 && event.revision !== last) {
      yield frames;
      frames = [];
      size = 0;
    }
    if (index === announceAt) frames.push(encoder.bookmark(initialRevision, INITIAL_EVENTS_END));
    if (event === undefined) break;
    const frame = encoder.frame(event);
    frames.push(frame);
    size += frame.length;
    last = event.revision;
  }
  if (frames.length > 0) yield frames;
}

/**
 * Writes a piece and waits until the client accepts more. Meanwhile events wait unencoded, shared by all watchers.
 * Returns false after the last piece: the client has disconnected, or the watch ended while it was slow.
 */
async function write(session: Session, frames: readonly Uint8Array[]): Promise<boolean> {
  const { stream, watch, eventSent, deadline, clock } = session;
  if (eventSent !== undefined) for (const frame of frames) eventSent(frame.length);
  if (stream.writeAll(frames)) return true;
  session.firstEvents.wait();
  const drained = stream.drained().then(
    () => 'drained' as const,
    () => 'gone' as const,
  );
  const outcome = await orLater(clock, drained, deadline - clock.monotonic(), watch.watcher.finished());
  if (outcome !== 'later') return outcome === 'drained';
  if ((await orLater(clock, drained, LAST_WORDS_MS)) === 'drained') stream.end();
  else stream.destroy();
  return false;
}

/** The result of `promise`, or `later` after a time, or once `end` settles. */
async function orLater<T>(
  clock: Clock,
  promise: Promise<T>,
  milliseconds: number,
  end?: Promise<void>,
): Promise<T | 'later'> {
  let timer: Disposable | undefined;
  const later = new Promise<'later'>((resolve) => {
    timer = clock.setTimer(() => resolve('later'), Math.max(0, milliseconds));
    void end?.then(() => resolve('later'));
  });
  try {
    return await Promise.race([promise, later]);
  } finally {
    timer?.[Symbol.dispose]();
  }
}

/** The client's timeoutSeconds, or a random time between the server's minimum and twice that. */
function lifetimeMs(options: ListOptions, { minimumWatchSeconds, random }: ResourceEndpoint): number {
  const asked = Number(options.timeoutSeconds ?? 0);
  return (asked > 0 ? asked : minimumWatchSeconds * (1 + random.number())) * 1000;
}

/** About once a minute, spread over the watchers, and once shortly before the end. */
function bookmarkTime({ clock, random, deadline }: Session): number {
  const now = clock.monotonic();
  const regular = now + BOOKMARK_INTERVAL_MS * (0.9 + 0.2 * random.number());
  const last = deadline - BOOKMARK_LEAD_MS;
  return last > now ? Math.min(regular, last) : regular;
}
