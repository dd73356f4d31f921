import type { Duplex } from 'node:stream';
import type { Caller } from '../../slices/index.js';
import { bodiless } from '../body.js';
import type { HttpLimits } from '../limits.js';
import { linger } from '../linger.js';
import { type UnfinishedHead, UnfinishedHeads } from '../unfinished-heads.js';
import { ConnectionInput } from './connection-input.js';
import { ConnectionOutput } from './connection-output.js';
import {
  checkWindow,
  numberOfStream,
  onConnection,
  pingNumbers,
  protocolError,
  windowIncrement,
} from './control-frames.js';
import {
  ConnectionError,
  ENHANCE_YOUR_CALM,
  FLOW_CONTROL_ERROR,
  NO_ERROR,
  PROTOCOL_ERROR,
  REFUSED_STREAM,
  STREAM_CLOSED,
} from './error-codes.js';
import {
  ACK,
  CONTINUATION,
  DATA,
  DEFAULT_WINDOW,
  END_STREAM,
  type Frame,
  frameOf,
  GOAWAY,
  HEADERS,
  INITIAL_WINDOW_SIZE,
  LARGEST_WINDOW,
  MAX_CONCURRENT_STREAMS,
  MAX_HEADER_LIST_SIZE,
  PING,
  PRIORITY,
  PUSH_PROMISE,
  RST_STREAM,
  SETTINGS,
  settingsFrame,
  WINDOW_UPDATE,
} from './frames.js';
import { HeaderBlock, withoutPadding } from './header-block.js';
import { HeaderDecoder } from './header-decoder.js';
import { areTrailers, type Http2Request, readRequest } from './http2-request.js';
import { Http2Stream, type StreamOwner } from './http2-stream.js';
import { isConfirmation, readSettings } from './peer-settings.js';
import { ReceiveWindow } from './receive-window.js';
import { RequestBody } from './request-body.js';
import { Traffic } from './traffic.js';

/** A larger frame of the answer would let one stream fill a batch. */
const LARGEST_SENT_FRAME = 64 * 1024;

/**
 * The server's side of an HTTP/2 connection: RFC 9113. A mistake of the client ends its stream or
 * the connection. Nothing throws.
 */
export class Http2Connection implements StreamOwner {
  readonly #socket: Duplex;
  readonly #limits: HttpLimits;
  readonly #serve: (stream: Http2Stream) => void;
  readonly #input: ConnectionInput;
  readonly #decoder: HeaderDecoder;
  readonly #output: ConnectionOutput;
  readonly #traffic = new Traffic();
  readonly #streams = new Map<number, Http2Stream>();
  readonly #receiveWindow: ReceiveWindow;
  readonly #head: UnfinishedHead;
  /** The header block that is arriving. */
  #block: HeaderBlock | undefined;
  #lastStreamId = 0;
  #initialSendWindow = DEFAULT_WINDOW;
  #hasSettings = false;
  /** No further requests are served. */
  #isClosing = false;
  #idleSince = performance.now();

  /**
   * `serve`: called with each request, whose stream it then owns. It must not throw. `caller`: whose turns the answers take. `heads`: those of all
   * connections.
   */
  constructor(
    socket: Duplex,
    limits: HttpLimits,
    serve: (stream: Http2Stream) => void,
    caller: Caller = { client: undefined },
    heads = new UnfinishedHeads(limits.maxUnfinishedHeadBytes),
  ) {
    this.#head = heads.of(() => this.destroy());
    this.#socket = socket;
    this.#limits = limits;
    this.#serve = serve;
    this.#decoder = new HeaderDecoder({ maxSize: limits.maxHeaderSize, maxFields: limits.maxHeaderLines });
    this.#output = new ConnectionOutput(socket, caller, (stream) => this.#sent(stream));
    const window = limits.streamWindow * limits.maxConcurrentStreams;
    this.#receiveWindow = new ReceiveWindow(window);
    this.#output.sendControl(
      settingsFrame([
        [MAX_CONCURRENT_STREAMS, limits.maxConcurrentStreams],
        [INITIAL_WINDOW_SIZE, limits.streamWindow],
        [MAX_HEADER_LIST_SIZE, limits.maxHeaderSize],
      ]),
    );
    if (window > DEFAULT_WINDOW) this.#output.sendControl(frameOf(WINDOW_UPDATE, 0, 0, window - DEFAULT_WINDOW));
    socket.once('end', () => socket.destroy());
    socket.once('close', () => {
      this.#head.end();
      this.#closeStreams();
    });
    this.#input = new ConnectionInput(socket, {
      read: (bytes) => this.#traffic.read(bytes),
      accept: (frame) => this.#accept(frame),
      fail: (code) => this.#fail(code),
    });
  }

  wake(stream: Http2Stream): void {
    this.#output.wake(stream);
  }

  reset(stream: Http2Stream, code: number): void {
    if (stream.destroyed) return;
    this.#output.sendControl(frameOf(RST_STREAM, 0, stream.id, code));
    this.#close(stream);
    this.#countReset();
  }

  destroy(): void {
    this.#closeStreams();
    this.#socket.destroy();
  }

  /** Sends GOAWAY. Open requests are still answered; then the connection ends. */
  close(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#output.sendControl(frameOf(GOAWAY, 0, 0, this.#lastStreamId, NO_ERROR));
    if (this.#streams.size === 0) this.#end();
  }

  /** Ends the connection of a client that floods it or is idle. Call it every second. */
  check(): void {
    if (!this.#traffic.check(this.#output.bytesWritten)) this.destroy();
    else if (this.#streams.size === 0 && performance.now() - this.#idleSince > this.#limits.idleTimeout) this.close();
  }

  #accept(frame: Frame): void {
    const { type } = frame;
    if (!this.#hasSettings && type !== SETTINGS) throw protocolError('the first frame is not SETTINGS');
    if ((this.#block !== undefined) !== (type === CONTINUATION)) throw protocolError('a header block is interrupted');
    if (type === DATA) this.#acceptData(frame);
    else if (type === HEADERS) this.#acceptHeaders(frame);
    else if (type === CONTINUATION) this.#acceptContinuation(frame);
    else if (type === RST_STREAM) this.#acceptReset(frame);
    else if (type === SETTINGS) this.#acceptSettings(frame);
    else if (type === PING) this.#acceptPing(frame);
    else if (type === GOAWAY) onConnection(frame);
    else if (type === WINDOW_UPDATE) this.#acceptWindowUpdate(frame);
    else if (type === PRIORITY) numberOfStream(frame, 5);
    else if (type === PUSH_PROMISE) throw protocolError('a client pushes');
  }

  #acceptHeaders(frame: Frame): void {
    if (frame.streamId % 2 === 0) throw protocolError('a client opens an even stream');
    this.#block = new HeaderBlock(frame, this.#limits.maxHeaderSize);
    this.#head.add(this.#block.bytes);
    if (this.#block.isComplete) this.#endBlock(this.#block);
  }

  #acceptContinuation(frame: Frame): void {
    this.#block?.add(frame);
    this.#head.add(frame.payload.length);
    if (this.#block?.isComplete === true) this.#endBlock(this.#block);
  }

  #endBlock(block: HeaderBlock): void {
    this.#block = undefined;
    this.#head.end();
    const list = this.#decoder.decode(block.toBuffer());
    const stream = this.#streams.get(block.streamId);
    if (stream !== undefined) {
      this.#acceptTrailers(stream, block.endsStream && areTrailers(list));
      return;
    }
    if (block.streamId <= this.#lastStreamId) throw protocolError('a client opens a stream again');
    this.#lastStreamId = block.streamId;
    this.#traffic.opened(block.bytes);
    if (this.#isClosing || this.#streams.size >= this.#limits.maxConcurrentStreams) {
      // It counts as no reset: the client may not know yet.
      this.#output.sendControl(frameOf(RST_STREAM, 0, block.streamId, REFUSED_STREAM));
      return;
    }
    const request = readRequest(list);
    if (request === undefined || (block.endsStream && (request.contentLength ?? 0) > 0)) {
      this.#output.sendControl(frameOf(RST_STREAM, 0, block.streamId, PROTOCOL_ERROR));
      this.#countReset();
    } else this.#open(block.streamId, request, block.endsStream);
  }

  #open(id: number, request: Http2Request, endsStream: boolean): void {
    const hasBody = !endsStream && !bodiless.has(request.method);
    const body = hasBody ? new RequestBody((bytes) => this.#consume(id, bytes)) : undefined;
    const options = {
      id,
      request,
      body,
      isReceiving: !endsStream,
      sendWindow: this.#initialSendWindow,
      receiveWindow: new ReceiveWindow(this.#limits.streamWindow),
    };
    const stream = new Http2Stream(options, this);
    this.#streams.set(id, stream);
    this.#serve(stream);
  }

  /** Trailers are dropped, as no part of the API has any. */
  #acceptTrailers(stream: Http2Stream, areValid: boolean): void {
    if (!stream.isReceiving) this.reset(stream, STREAM_CLOSED);
    else if (areValid) this.#endBody(stream);
    else this.reset(stream, PROTOCOL_ERROR);
  }

  #acceptData(frame: Frame): void {
    const { streamId, payload } = frame;
    if (streamId === 0) throw protocolError('DATA needs a stream');
    if (!this.#receiveWindow.receive(payload.length)) throw new ConnectionError(FLOW_CONTROL_ERROR, 'too much DATA');
    const stream = this.#streamOf(streamId);
    const data = withoutPadding(frame);
    const error = stream === undefined ? undefined : dataError(stream, payload.length, data.length);
    const body = error === undefined ? stream?.body : undefined;
    this.#consume(streamId, body === undefined ? payload.length : payload.length - data.length);
    if (stream === undefined) {
      // The client may not know yet that the stream is closed, so that this counts as no reset. Upstream answers the same.
      this.#output.sendControl(frameOf(RST_STREAM, 0, streamId, STREAM_CLOSED));
      return;
    }
    if (error !== undefined) {
      this.reset(stream, error);
      return;
    }
    stream.receivedBytes += data.length;
    if (body !== undefined) {
      this.#traffic.received(data.length);
      body.receive(data);
    }
    // Its reader may have reset it.
    if ((frame.flags & END_STREAM) !== 0 && !stream.destroyed) this.#endBody(stream);
  }

  #endBody(stream: Http2Stream): void {
    if (stream.receivedBytes !== (stream.request.contentLength ?? stream.receivedBytes)) {
      this.reset(stream, PROTOCOL_ERROR);
      return;
    }
    stream.isReceiving = false;
    // Some clients end a body right before they reset its stream.
    const { body } = stream;
    if (body !== undefined) this.#input.whenRead(() => body.complete());
  }

  /** Lets the client send more. */
  #consume(streamId: number, bytes: number): void {
    const increment = this.#receiveWindow.consume(bytes);
    if (increment > 0) this.#output.sendControl(frameOf(WINDOW_UPDATE, 0, 0, increment));
    const stream = this.#streams.get(streamId);
    if (stream?.isReceiving !== true) return;
    const ofStream = stream.receiveWindow.consume(bytes);
    if (ofStream > 0) this.#output.sendControl(frameOf(WINDOW_UPDATE, 0, streamId, ofStream));
  }

  #acceptReset(frame: Frame): void {
    numberOfStream(frame, 4);
    const stream = this.#streamOf(frame.streamId);
    if (stream === undefined) return;
    this.#close(stream);
    // Any reset counts, whatever its code.
    this.#countReset();
  }

  #acceptSettings(frame: Frame): void {
    if (isConfirmation(frame)) {
      if (!this.#hasSettings) throw protocolError('the first frame confirms settings');
      return;
    }
    this.#hasSettings = true;
    const { initialWindowSize, maxFrameSize } = readSettings(frame.payload);
    if (maxFrameSize !== undefined) this.#output.maxFrameSize = Math.min(maxFrameSize, LARGEST_SENT_FRAME);
    if (initialWindowSize !== undefined) this.#changeInitialWindow(initialWindowSize);
    this.#output.sendControl(frameOf(SETTINGS, ACK, 0));
  }

  #changeInitialWindow(size: number): void {
    const change = size - this.#initialSendWindow;
    this.#initialSendWindow = size;
    for (const stream of this.#streams.values()) this.#widen(stream, change);
  }

  #acceptPing(frame: Frame): void {
    const numbers = pingNumbers(frame);
    if ((frame.flags & ACK) === 0) this.#output.sendControl(frameOf(PING, ACK, 0, ...numbers));
  }

  #acceptWindowUpdate(frame: Frame): void {
    const increment = windowIncrement(frame);
    if (frame.streamId === 0) {
      checkWindow(this.#output.window + increment);
      this.#output.widen(increment);
      return;
    }
    const stream = this.#streamOf(frame.streamId);
    if (stream === undefined) return;
    if (increment === 0) this.reset(stream, PROTOCOL_ERROR);
    else if (stream.output.window + increment > LARGEST_WINDOW) this.reset(stream, FLOW_CONTROL_ERROR);
    else this.#widen(stream, increment);
  }

  #widen(stream: Http2Stream, bytes: number): void {
    checkWindow(stream.output.window + bytes);
    stream.output.widen(bytes);
    // It may still wait for the window of the connection.
    this.#output.wake(stream);
  }

  /** Undefined for a stream that is closed. Throws if it was never opened. */
  #streamOf(id: number): Http2Stream | undefined {
    const stream = this.#streams.get(id);
    if (stream === undefined && (id > this.#lastStreamId || id % 2 === 0)) throw protocolError('a stream is not open');
    return stream;
  }

  /** The whole answer is sent. A client that still sends its body is told to stop. */
  #sent(stream: Http2Stream): void {
    if (stream.isReceiving) this.#output.sendControl(frameOf(RST_STREAM, 0, stream.id, NO_ERROR));
    this.#close(stream);
  }

  #close(stream: Http2Stream): void {
    if (!this.#streams.delete(stream.id)) return;
    this.#output.forget(stream);
    stream.closed();
    if (this.#streams.size === 0) this.#idleSince = performance.now();
    if (this.#isClosing && this.#streams.size === 0) this.#end();
  }

  #countReset(): void {
    if (!this.#traffic.reset()) this.#fail(ENHANCE_YOUR_CALM);
  }

  /** Ends the connection with an error. */
  #fail(code: number): void {
    if (this.#input.isStopped) return;
    this.#isClosing = true;
    this.#output.sendControl(frameOf(GOAWAY, 0, 0, this.#lastStreamId, code));
    this.#closeStreams();
    this.#end();
  }

  #end(): void {
    this.#output.end();
    linger(this.#socket);
  }

  #closeStreams(): void {
    this.#input.stop();
    for (const stream of this.#streams.values()) {
      this.#streams.delete(stream.id);
      this.#output.forget(stream);
      stream.closed();
    }
  }
}

/** The error of a stream that may not send this DATA. `frameBytes`: with padding; `dataBytes`: without. */
function dataError(stream: Http2Stream, frameBytes: number, dataBytes: number): number | undefined {
  if (!stream.isReceiving) return STREAM_CLOSED;
  if (!stream.receiveWindow.receive(frameBytes)) return FLOW_CONTROL_ERROR;
  const declared = stream.request.contentLength ?? Number.POSITIVE_INFINITY;
  return stream.receivedBytes + dataBytes > declared ? PROTOCOL_ERROR : undefined;
}
