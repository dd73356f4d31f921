import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { WireReader } from '../../packages/apimachinery/dist/protobuf/index.js';

// It is a dependency of the package.
const { Server, ServerCredentials } = createRequire(new URL('../../packages/apiserver/package.json', import.meta.url))(
  '@grpc/grpc-js',
);

const same = (bytes) => bytes;
const Export = {
  path: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
  requestStream: false,
  responseStream: false,
  requestSerialize: same,
  requestDeserialize: same,
  responseSerialize: same,
  responseDeserialize: same,
};

/** A collector of OpenTelemetry that keeps the spans it gets. */
export class Collector {
  /** `{ name, traceId, spanId, parentId, attributes }`; ids are hexadecimal, attributes texts and numbers by name. */
  spans = [];
  server = new Server();

  static async start() {
    const collector = new Collector();
    collector.server.addService(
      { Export },
      {
        Export: ({ request }, answer) => {
          collector.spans.push(...spansOf(request));
          answer(null, Buffer.alloc(0));
        },
      },
    );
    const bind = promisify(collector.server.bindAsync.bind(collector.server));
    collector.port = await bind('127.0.0.1:0', ServerCredentials.createInsecure());
    return collector;
  }

  [Symbol.asyncDispose]() {
    this.server.forceShutdown();
    return Promise.resolve();
  }
}

/** Upstream: `ExportTraceServiceRequest` of opentelemetry-proto. */
function spansOf(request) {
  return all(request, 1)
    .flatMap((resource) => all(resource, 2))
    .flatMap((scope) => all(scope, 2))
    .map(spanOf);
}

/** The messages in the fields of this number. */
function all(bytes, number) {
  return fieldsOf(bytes)
    .filter((field) => field.number === number)
    .map(({ value }) => value);
}

function fieldsOf(bytes) {
  const reader = new WireReader(bytes);
  const fields = [];
  while (!reader.atEnd) {
    reader.tag('message');
    const { number, wireType } = reader;
    if (wireType === 2) fields.push({ number, value: reader.bytes() });
    else if (wireType === 0) fields.push({ number, value: reader.int64() });
    else reader.skip();
  }
  return fields;
}

function spanOf(bytes) {
  const span = { name: '', traceId: '', spanId: '', parentId: '', attributes: {} };
  const ids = { 1: 'traceId', 2: 'spanId', 4: 'parentId' };
  for (const { number, value } of fieldsOf(bytes)) {
    if (ids[number] !== undefined) span[ids[number]] = Buffer.from(value).toString('hex');
    else if (number === 5) span.name = text(value);
    else if (number === 9) {
      const [{ value: name }, { value: any }] = fieldsOf(value);
      const [held] = fieldsOf(any);
      span.attributes[text(name)] = held.number === 1 ? text(held.value) : Number(held.value);
    }
  }
  return span;
}

const text = (bytes) => Buffer.from(bytes).toString();
