/** A plugin of the API for key management, version 2, on a socket. Its keys are derived from their ids. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';

// It is a dependency of the packages.
const { Server, ServerCredentials, status } = createRequire(
  new URL('../../packages/apiserver/package.json', import.meta.url),
)('@grpc/grpc-js');

const ANNOTATION = 'nonce.kms.example.com';

export class KmsPlugin {
  /** The key that encrypts. */
  keyId = 'key-1';
  healthz = 'ok';
  version = 'v2';
  /** The status of answers to Decrypt; undefined: they succeed. */
  fails;
  calls = { Encrypt: 0, Decrypt: 0, Status: 0 };
  /** Called with the name of each call. */
  called = () => undefined;
  #server;
  #socket;

  constructor(socket) {
    this.#socket = socket;
  }

  async start() {
    const server = new Server();
    const method = (name) => ({
      path: `/v2.KeyManagementService/${name}`,
      requestStream: false,
      responseStream: false,
      requestSerialize: (bytes) => bytes,
      requestDeserialize: readFields,
      responseSerialize: writeFields,
      responseDeserialize: (bytes) => bytes,
    });
    const handlers = {
      Encrypt: (fields) => this.#encrypt(fields),
      Decrypt: (fields) => this.#decrypt(fields),
      Status: () => [
        [1, this.version],
        [2, this.healthz],
        [3, this.keyId],
      ],
    };
    server.addService(
      Object.fromEntries(Object.keys(handlers).map((name) => [name, method(name)])),
      Object.fromEntries(
        Object.entries(handlers).map(([name, handle]) => [
          name,
          ({ request }, done) => {
            this.calls[name]++;
            this.called(name);
            try {
              done(null, handle(request));
            } catch (error) {
              done({ code: error.code ?? status.UNKNOWN, details: error.message });
            }
          },
        ]),
      ),
    );
    await promisify(server.bindAsync.bind(server))(`unix:${this.#socket}`, ServerCredentials.createInsecure());
    this.#server = server;
    return this;
  }

  stop() {
    this.#server?.forceShutdown();
  }

  async [Symbol.asyncDispose]() {
    this.stop();
  }

  #encrypt(fields) {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', keyOf(this.keyId), nonce);
    const sealed = Buffer.concat([cipher.update(fields.get(1)), cipher.final(), cipher.getAuthTag()]);
    return [
      [1, sealed],
      [2, this.keyId],
      [
        3,
        writeFields([
          [1, ANNOTATION],
          [2, nonce],
        ]),
      ],
    ];
  }

  #decrypt(fields) {
    if (this.fails !== undefined) throw Object.assign(new Error('the key service is down'), { code: this.fails });
    const sealed = fields.get(1);
    const nonce = readFields(fields.get(4)).get(2);
    const decipher = createDecipheriv('aes-256-gcm', keyOf(fields.get(3).toString()), nonce);
    decipher.setAuthTag(sealed.subarray(-16));
    return [[1, Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])]];
  }
}

const keyOf = (id) => createHash('sha256').update(id).digest();

/** All fields of these messages are bytes or text. */
function readFields(message) {
  const fields = new Map();
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = message[at++];
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const number = varint() >> 3;
    const length = varint();
    fields.set(number, message.subarray(at, at + length));
    at += length;
  }
  return fields;
}

function writeFields(fields) {
  const varint = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)]);
  return Buffer.concat(
    fields.flatMap(([number, value]) => {
      const bytes = Buffer.from(value);
      return [Buffer.from([...varint((number << 3) | 2), ...varint(bytes.length)]), bytes];
    }),
  );
}
