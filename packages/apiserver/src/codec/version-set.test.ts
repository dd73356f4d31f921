import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeCbor } from '@binnacle/apimachinery/cbor';
import { parseJson } from '@binnacle/apimachinery/json';
import { finish } from '@binnacle/apimachinery/work';
import { kindSchema } from '@binnacle/api/table';
import { BuiltInCodec } from './built-in-codec.js';
import type { StorageMediaType } from './storage-media-type.js';
import { VersionSet } from './version-set.js';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';

function hpas(storageVersion: 'v1' | 'v2', mediaType: StorageMediaType = 'application/json'): VersionSet {
  const codecs = new Map(
    ['v1', 'v2'].map((version) => {
      const kind = { group: 'autoscaling', version, kind: 'HorizontalPodAutoscaler' };
      const schema = kindSchema(kind);
      assert.ok(schema !== undefined);
      const codec = new BuiltInCodec(kind, schema);
      return [codec.apiVersion, codec] as const;
    }),
  );
  const storage = codecs.get(`autoscaling/${storageVersion}`);
  assert.ok(storage !== undefined);
  return new VersionSet({ storage, versions: codecs, selectableFields: () => ({}), mediaType });
}

const inV1 = Buffer.from(
  '{"spec":{"scaleTargetRef":{"kind":"Deployment","name":"web","apiVersion":"apps/v1"},"targetCPUUtilizationPercentage":70,"maxReplicas":4},' +
    '"metadata":{"uid":"u","name":"a"},"apiVersion":"autoscaling/v1","kind":"HorizontalPodAutoscaler"}',
);

describe('VersionSet', () => {
  it('converts a stored value to the storage version, ordered and defaulted', () => {
    const text = Buffer.from(hpas('v2').canonicalize(inV1)).toString();
    assert.match(
      text,
      /^\{"kind":"HorizontalPodAutoscaler","apiVersion":"autoscaling\/v2","metadata":\{"name":"a","uid":"u"/,
    );
    assert.match(
      text,
      /"metrics":\[\{"type":"Resource","resource":\{"name":"cpu","target":\{"type":"Utilization","averageUtilization":70\}\}\}\]/,
    );
    assert.match(text, /"minReplicas":1/);
  });

  it('decodes a large object in steps, to the same object', () => {
    const versions = hpas('v2');
    const annotations = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 'v']));
    const object = versions.decode(versions.canonicalize(inV1));
    object.metadata.annotations = annotations;
    object.metadata.generation = 9007199254740993n;
    const canonical = versions.encode(object);
    let yields = 0;
    for (const _ of versions.decodeInSteps(canonical)) yields++;
    assert.ok(yields >= 5, String(yields));
    assert.deepEqual(finish(versions.decodeInSteps(canonical)), versions.decode(canonical));
  });

  it('does not change values that it has canonicalized', () => {
    const versions = hpas('v2');
    const once = versions.canonicalize(inV1);
    assert.deepEqual(Buffer.from(versions.canonicalize(once)), Buffer.from(once));
    assert.deepEqual(Buffer.from(versions.encode(versions.decode(once))), Buffer.from(once));
  });

  it('never stores a resourceVersion, and finds the place for it', () => {
    const versions = hpas('v1');
    const object = versions.decode(versions.canonicalize(inV1));
    object.metadata.resourceVersion = '5';
    object.metadata.generateName = 'tricky ","uid":"not this';
    const bytes = Buffer.from(versions.encode(object));
    assert.equal(bytes.includes('resourceVersion'), false);
    assert.equal(object.metadata.resourceVersion, '5', "the object is its owner's");
    assert.equal(bytes.subarray(0, versions.spliceOffset(bytes)).toString().endsWith('"uid":"u"'), true);
  });

  it('keeps integers that a double cannot hold', () => {
    const versions = hpas('v2');
    const object = versions.decode(versions.canonicalize(inV1));
    object.metadata.generation = 9007199254740993n;
    assert.equal(versions.decode(versions.encode(object)).metadata.generation, 9007199254740993n);
  });

  it('stores the same protobuf as upstream, and reads it in any version', async () => {
    const json = hpas('v2');
    const canonical = json.canonicalize(inV1);
    assert.equal(json.beforeWriting(), undefined);
    assert.equal(json.toStored(canonical), canonical);
    assert.equal(json.beforeReading(canonical), undefined);
    for (const version of ['v1', 'v2'] as const) {
      const writer = hpas(version, PROTOBUF);
      await writer.beforeWriting();
      const value = writer.toStored(writer.canonicalize(inV1));
      assert.equal(Buffer.from(value).toString('latin1', 0, 25), `k8s\0\n)\n\x0eautoscaling/${version}\x12\x17H`);
      for (const reader of [json, writer]) {
        await reader.beforeReading(value);
        const read = Buffer.from(reader.canonicalize(value)).toString();
        assert.equal(read, Buffer.from(reader.canonicalize(inV1)).toString());
      }
    }
  });

  it('reads CBOR values', async () => {
    const versions = hpas('v2');
    const value = encodeCbor(parseJson(inV1).value);
    await versions.beforeReading(value);
    assert.equal(
      Buffer.from(versions.canonicalize(value)).toString(),
      Buffer.from(versions.canonicalize(inV1)).toString(),
    );
  });

  it('writes protobuf as its definition says', async () => {
    const kind = { group: '', version: 'v1', kind: 'ConfigMap' };
    const schema = kindSchema(kind);
    assert.ok(schema !== undefined);
    const storage = new BuiltInCodec(kind, schema);
    const versions = new VersionSet({
      storage,
      versions: new Map([['v1', storage]]),
      selectableFields: () => ({}),
      mediaType: PROTOBUF,
    });
    await versions.beforeWriting();
    const text =
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"b","uid":"c","creationTimestamp":"1970-01-01T00:00:05Z",' +
      '"labels":{"y":"2","x":"1"}},"data":{"k":"v"}}';
    const canonical = versions.canonicalize(Buffer.from(text));
    const value = versions.toStored(canonical);
    // Hand-written field numbers and wire types: fields that are not pointers in Go are present even when empty.
    const names = ['0a0161', '1200', '1a0162', '2200', '2a0163', '3200', '3800', '420408051000'];
    const labels = ['5a060a0178120131', '5a060a0179120132'];
    const message = ['0a27', ...names, ...labels, '12060a016b120176'];
    const envelope = ['6b387300', '0a0f', '0a027631', '1209436f6e6669674d6170', '1231', ...message, '1a00', '2200'];
    assert.equal(Buffer.from(value).toString('hex'), envelope.join(''));
  });

  it('reports values that it cannot read', () => {
    assert.throws(() => hpas('v2').canonicalize(Buffer.from('{"apiVersion":"x/v9"}')), /apiVersion "x\/v9"/);
    assert.throws(() => hpas('v2').canonicalize(Buffer.from('[]')), /cannot read/);
    const other = Buffer.from('{"kind":"Scale","apiVersion":"autoscaling/v1","spec":{}}');
    assert.throws(() => hpas('v2').canonicalize(other), /kind "Scale", which this server cannot read/);
    assert.ok(hpas('v2').canonicalize(Buffer.from('{"apiVersion":"autoscaling/v1","metadata":{"name":"a"}}')));
    assert.throws(() => hpas('v2').canonicalize(Buffer.from('\0')));
  });
});
