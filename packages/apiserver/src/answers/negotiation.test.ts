import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kindSchema } from '@binnacle/api/table';
import { compileSchema } from '@binnacle/apimachinery/structural';
import { BuiltInCodec, type KindCodec } from '../codec/index.js';
import { CustomCodec } from '../codec/custom/index.js';
import { RequestContext } from '../request/index.js';
import { FakeExchange } from '../testing/index.js';
import { negotiateRepresentation, negotiateStatus, type RepresentationOptions } from './negotiation.js';

const kind = { group: '', version: 'v1', kind: 'ConfigMap' };
const schema = kindSchema(kind);
assert.ok(schema);
const typed = new BuiltInCodec(kind, schema);
const custom = new CustomCodec({
  groupVersionKind: { group: 'example.com', version: 'v1', kind: 'CronTab' },
  schema: compileSchema({ type: 'object' }),
  definition: 'com.example.v1.CronTab',
  preserveUnknownFields: false,
});

const JSON_TYPE = 'application/json';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const contextOf = (accept: string | undefined) =>
  new RequestContext(
    new FakeExchange({ headers: accept === undefined ? {} : { accept } }),
    '/',
    new URLSearchParams(),
    0,
  );

/** `json as Table v1`, or the message of the refusal. */
function chosen(codec: KindCodec, accept: string | undefined, options?: RepresentationOptions): string {
  try {
    const { mediaType, as, version } = negotiateRepresentation(contextOf(accept), codec, options);
    return as === undefined ? mediaType : `${mediaType} as ${as} ${version}`;
  } catch (error) {
    assert.ok(error instanceof Error && 'code' in error && error.code === 406, String(error));
    return error.message;
  }
}

const table = (mediaType: string, version = 'v1') => `${mediaType};as=Table;g=meta.k8s.io;v=${version}`;
const metadataOnly = (mediaType: string) => `${mediaType};as=PartialObjectMetadata;g=meta.k8s.io;v=v1`;
const all = `${JSON_TYPE}, application/yaml, ${PROTOBUF}`;
const streams = `${JSON_TYPE};stream=watch, ${PROTOBUF};stream=watch`;

describe('the representation of an object', () => {
  const cases: [accept: string | undefined, answer: string][] = [
    [undefined, JSON_TYPE],
    ['*/*', JSON_TYPE],
    ['application/yaml', 'application/yaml'],
    [`text/html, ${PROTOBUF};q=0.9`, PROTOBUF],
    [table(JSON_TYPE), `${JSON_TYPE} as Table v1`],
    [table(JSON_TYPE, 'v1beta1'), `${JSON_TYPE} as Table v1beta1`],
    [`${table(JSON_TYPE, 'v2')}, ${JSON_TYPE}`, JSON_TYPE],
    [metadataOnly(PROTOBUF), `${PROTOBUF} as PartialObjectMetadata v1`],
    ['text/html', `406: Not Acceptable\n\nAvailable representations: ${all}`],
    [`${JSON_TYPE};as=Chair;g=meta.k8s.io;v=v1`, `only the following media types are accepted: ${all}`],
  ];
  for (const [accept, answer] of cases) {
    it(`is ${answer} for ${accept ?? 'no Accept'}`, () => assert.equal(chosen(typed, accept), answer));
  }

  it('has no table where its kind has no list', () => {
    assert.equal(
      chosen(typed, table(JSON_TYPE), { withoutTable: true }),
      `only the following media types are accepted: ${all}`,
    );
    assert.match(chosen(typed, metadataOnly(JSON_TYPE), { withoutTable: true }), /as PartialObjectMetadata v1$/);
  });

  it('is in protobuf for the metadata of a custom resource, and for nothing else of it', () => {
    assert.equal(chosen(custom, metadataOnly(PROTOBUF)), `${PROTOBUF} as PartialObjectMetadata v1`);
    assert.equal(chosen(custom, PROTOBUF), `only the following media types are accepted: ${all}`);
    assert.equal(chosen(custom, `${PROTOBUF}, ${JSON_TYPE}`), JSON_TYPE);
  });
});

describe('the representation of a watch', () => {
  const cases: [accept: string, answer: string][] = [
    [PROTOBUF, PROTOBUF],
    [`${JSON_TYPE};stream=watch`, JSON_TYPE],
    ['application/yaml', `only the following media types are accepted: ${streams}`],
    [`${JSON_TYPE};as=Chair;g=meta.k8s.io;v=v1`, `only the following media types are accepted: ${streams}`],
  ];
  for (const [accept, answer] of cases) {
    it(`is ${answer} for ${accept}`, () => assert.equal(chosen(typed, accept, { stream: true }), answer));
  }
});

describe('the media type of a Status', () => {
  it('is what the client prefers, and none when nothing fits', () => {
    assert.equal(negotiateStatus(contextOf(PROTOBUF)), PROTOBUF);
    assert.equal(negotiateStatus(contextOf('text/html')), undefined);
  });
});
