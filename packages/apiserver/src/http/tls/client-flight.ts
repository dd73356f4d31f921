import type { HandshakeKeys } from './handshake-keys.js';
import { arePresentable } from './presented-certificates.js';

const RECORD_HEADER_BYTES = 5;
const CHANGE_CIPHER_SPEC = 20;
const HANDSHAKE = 22;
const APPLICATION_DATA = 23;

const MESSAGE_HEADER_BYTES = 4;
const CERTIFICATE = 11;
const FINISHED = 20;

const nothing: Buffer = Buffer.alloc(0);

/** The certificates of a client are too costly to verify, or the bytes are not TLS. */
export class FlightError extends Error {
  override readonly name = 'FlightError';
}

/**
 * Inspects the certificates in a client's handshake messages (its flight) before OpenSSL reads them. OpenSSL verifies all
 * certificates before it reports any. All other checks are left to OpenSSL.
 */
export class ClientFlight {
  #keys: HandshakeKeys | undefined;
  #records = nothing;
  #messages = nothing;
  #isOver = false;

  /** TLS 1.3: after the server's first flight, the client encrypts with these keys. */
  encrypted(keys: HandshakeKeys): void {
    this.#keys = keys;
  }

  /** Inspects the next bytes. Throws {@link FlightError}; then OpenSSL must not get these bytes. */
  read(bytes: Buffer): void {
    this.#records = Buffer.concat([this.#records, bytes]);
    while (!this.#isOver && this.#records.length >= RECORD_HEADER_BYTES) {
      const type = this.#records.readUInt8(0);
      if (type < CHANGE_CIPHER_SPEC || type > APPLICATION_DATA) throw new FlightError('not a TLS record');
      const end = RECORD_HEADER_BYTES + this.#records.readUInt16BE(3);
      if (this.#records.length < end) return;
      this.#readRecord(
        type,
        this.#records.subarray(0, RECORD_HEADER_BYTES),
        this.#records.subarray(RECORD_HEADER_BYTES, end),
      );
      this.#records = this.#records.subarray(end);
    }
  }

  #readRecord(type: number, header: Buffer, record: Buffer): void {
    if (type === HANDSHAKE) this.#readMessages(record, false);
    // Before the keys are known, this is data that OpenSSL rejects.
    if (type !== APPLICATION_DATA || this.#keys === undefined) return;
    const content = this.#keys.open(header, record);
    if (content === undefined) throw new FlightError('a record that cannot be decrypted');
    const typeAt = content.findLastIndex((octet) => octet !== 0);
    if (content[typeAt] === HANDSHAKE) this.#readMessages(content.subarray(0, typeAt), true);
  }

  /** In TLS 1.2 the last message is encrypted, and looks like one that never ends. */
  #readMessages(content: Buffer, isEncrypted: boolean): void {
    this.#messages = Buffer.concat([this.#messages, content]);
    while (this.#messages.length >= MESSAGE_HEADER_BYTES) {
      const end = MESSAGE_HEADER_BYTES + this.#messages.readUIntBE(1, 3);
      if (this.#messages.length < end) return;
      const type = this.#messages.readUInt8(0);
      const message = this.#messages.subarray(MESSAGE_HEADER_BYTES, end);
      this.#messages = this.#messages.subarray(end);
      if (type === CERTIFICATE) this.#judge(certificatesIn(message, isEncrypted));
      // Later messages use other keys.
      if (type === FINISHED) this.#isOver = true;
    }
  }

  #judge(certificates: readonly Buffer[]): void {
    if (!arePresentable(certificates)) throw new FlightError('certificates that are too costly');
  }
}

/** Upstream: RFC 8446, section 4.4.2; RFC 5246, section 7.4.2. */
function certificatesIn(message: Buffer, isVersion3: boolean): Buffer[] {
  const certificates: Buffer[] = [];
  let at = 0;
  const skip = (bytes: number): void => {
    at += bytes;
    if (at > message.length) throw new FlightError('a truncated list of certificates');
  };
  const lengthOf = (bytes: number): number => {
    skip(bytes);
    return message.readUIntBE(at - bytes, bytes);
  };
  if (isVersion3) skip(lengthOf(1));
  lengthOf(3);
  while (at < message.length) {
    const length = lengthOf(3);
    skip(length);
    certificates.push(message.subarray(at - length, at));
    if (isVersion3) skip(lengthOf(2));
  }
  return certificates;
}
