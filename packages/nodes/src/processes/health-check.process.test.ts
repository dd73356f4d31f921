import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type sendUnaryData, Server, ServerCredentials, type ServerUnaryCall } from '@grpc/grpc-js';
import { checkHealth } from './health-check.js';

const bytes = (value: Buffer): Buffer => value;
const method = {
  path: '/grpc.health.v1.Health/Check',
  requestStream: false,
  responseStream: false,
  requestSerialize: bytes,
  requestDeserialize: bytes,
  responseSerialize: bytes,
  responseDeserialize: bytes,
};
const parts = { now: () => Date.now(), timeout: 2000 };

it('a gRPC probe asks a server about a service', async () => {
  const server = new Server();
  server.addService(
    { Check: method },
    {
      Check: ({ request }: ServerUnaryCall<Buffer, Buffer>, answer: sendUnaryData<Buffer>) =>
        answer(null, Buffer.from([8, request.includes('web') ? 1 : 2])),
    },
  );
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  const ask = (service: string) => checkHealth({ host: '127.0.0.1', port, service }, parts);
  assert.equal(await ask('web'), undefined);
  assert.equal(await ask(''), 'service unhealthy (responded with "NOT_SERVING")');
  server.forceShutdown();
  const text = `timeout: failed to connect service "127.0.0.1:${port}" within 200ms: context deadline exceeded`;
  assert.equal(await checkHealth({ host: '127.0.0.1', port, service: '' }, { ...parts, timeout: 200 }), text);
});
