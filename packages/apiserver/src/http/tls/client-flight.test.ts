import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { describe, it } from 'node:test';
import { makeTestCertificate } from '../../testing/index.js';
import { ClientFlight, FlightError } from './client-flight.js';

const certificate = new X509Certificate(makeTestCertificate('/CN=jane').certificate).raw;

const sized = (bytes: number, content: Buffer): Buffer => {
  const size = Buffer.alloc(bytes);
  size.writeUIntBE(content.length, 0, bytes);
  return Buffer.concat([size, content]);
};
const record = (type: number, content: Buffer): Buffer => Buffer.concat([Buffer.of(type, 3, 3), sized(2, content)]);
const message = (type: number, content: Buffer): Buffer => Buffer.concat([Buffer.of(type), sized(3, content)]);
const listOf = (...certificates: readonly Buffer[]): Buffer =>
  message(11, sized(3, Buffer.concat(certificates.map((each) => sized(3, each)))));
const hello = record(22, message(1, Buffer.alloc(200, 'h')));

describe('the flight of a client', () => {
  it('may hold certificates that are quickly verified, and anything that is not a certificate', () => {
    const flight = new ClientFlight();
    flight.read(hello);
    flight.read(record(22, listOf(certificate, certificate)));
    flight.read(record(20, Buffer.of(1)));
    flight.read(record(22, Buffer.alloc(40, 0xff)));
    flight.read(record(23, Buffer.alloc(1000)));
    new ClientFlight().read(record(22, listOf()));
  });

  it('is refused before its last byte where it holds others, however it is cut', () => {
    const costly = listOf(certificate, Buffer.from('no certificate'));
    const records = [record(22, costly), Buffer.concat(Array.from(costly, (octet) => record(22, Buffer.of(octet))))];
    for (const bytes of records) {
      const whole = Buffer.concat([hello, bytes]);
      assert.throws(() => new ClientFlight().read(whole), FlightError);
      const flight = new ClientFlight();
      for (const octet of whole.subarray(0, -1)) flight.read(Buffer.of(octet));
      assert.throws(() => flight.read(whole.subarray(-1)), FlightError);
    }
  });

  it('is refused where a list of certificates ends early, and where it is not TLS', () => {
    for (const content of [Buffer.alloc(0), Buffer.of(0, 0, 9, 0, 0, 6, 1), Buffer.of(0, 0, 3, 0, 0)]) {
      assert.throws(() => new ClientFlight().read(record(22, message(11, content))), FlightError);
    }
    assert.throws(() => new ClientFlight().read(Buffer.from('GET / HTTP/1.1\r\n\r\n')), FlightError);
    // How old clients said hello.
    assert.throws(() => new ClientFlight().read(Buffer.of(0x80, 0x2e, 1, 3, 1, 0)), FlightError);
  });
});
