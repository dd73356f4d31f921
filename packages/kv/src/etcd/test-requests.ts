import { Client, credentials } from '@grpc/grpc-js';
import { MessageWriter } from './wire.js';

const LARGEST_MESSAGE = 1024 * 1024;

/** Requests that the store itself never makes. */
async function send(endpoint: string, path: string, write: (writer: MessageWriter) => void): Promise<void> {
  const client = new Client(endpoint.replace('http://', ''), credentials.createInsecure());
  const encode = (): Buffer => {
    const writer = new MessageWriter(LARGEST_MESSAGE);
    write(writer);
    return writer.finish();
  };
  try {
    await new Promise<void>((resolve, reject) => {
      const deadline = Date.now() + 10_000;
      const done = (error: Error | null): void => (error === null ? resolve() : reject(error));
      client.makeUnaryRequest(path, encode, (answer) => answer, undefined, { deadline }, done);
    });
  } finally {
    client.close();
  }
}

/** All keys, by one revision. */
export function deleteEverything(endpoint: string): Promise<void> {
  const zero = Buffer.from([0]);
  return send(endpoint, '/etcdserverpb.KV/DeleteRange', (writer) => {
    writer.bytes(2, zero);
    writer.bytes(1, zero);
  });
}

/** Two keys by one transaction, and so by one revision. */
export function putTogether(endpoint: string, keys: readonly string[], value: Uint8Array): Promise<void> {
  return send(endpoint, '/etcdserverpb.KV/Txn', (writer) => {
    // From the last to the first, as everything that a MessageWriter writes.
    for (const key of keys.toReversed()) {
      const mark = writer.mark;
      writer.bytes(2, value);
      writer.bytes(1, Buffer.from(key));
      writer.nest(2, mark);
      writer.nest(2, mark);
    }
  });
}

/** A user `root` with this password, and from now on nobody else. */
export async function enableAuthentication(endpoint: string, password: string): Promise<void> {
  const root = Buffer.from('root');
  await send(endpoint, '/etcdserverpb.Auth/RoleAdd', (writer) => writer.bytes(1, root));
  await send(endpoint, '/etcdserverpb.Auth/UserAdd', (writer) => {
    writer.bytes(2, Buffer.from(password));
    writer.bytes(1, root);
  });
  await send(endpoint, '/etcdserverpb.Auth/UserGrantRole', (writer) => {
    writer.bytes(2, root);
    writer.bytes(1, root);
  });
  await send(endpoint, '/etcdserverpb.Auth/AuthEnable', () => undefined);
}
