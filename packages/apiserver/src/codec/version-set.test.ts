import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kindSchema } from '@binnacle/api/table';
import { BuiltInCodec } from './built-in-codec.js';
import { VersionSet } from './version-set.js';

function hpas(storageVersion: 'v1' | 'v2'): VersionSet {
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
  return new VersionSet({ storage, versions: codecs, selectableFields: () => ({}) });
}

const inV1 = Buffer.from(
  '{"spec":{"scaleTargetRef":{"kind":"Deployment","name":"web","apiVersion":"apps/v1"},"targetCPUUtilizationPercentage":70,"maxReplicas":4},' +
    '"metadata":{"uid":"u","name":"a"},"apiVersion":"autoscaling/v1","kind":"HorizontalPodAutoscaler"}',
);

describe('VersionSet', () => {
  it('brings a stored value into the stored version, ordered and defaulted', () => {
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

  it('changes nothing in what it has brought there', () => {
    const versions = hpas('v2');
    const once = versions.canonicalize(inV1);
    assert.deepEqual(Buffer.from(versions.canonicalize(once)), Buffer.from(once));
    assert.deepEqual(Buffer.from(versions.encode(versions.decode(once))), Buffer.from(once));
  });

  it('never stores a resourceVersion, and finds its place', () => {
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

  it('says what it cannot read', () => {
    assert.throws(() => hpas('v2').canonicalize(Buffer.from('{"apiVersion":"x/v9"}')), /apiVersion "x\/v9"/);
    assert.throws(() => hpas('v2').canonicalize(Buffer.from('[]')), /cannot read/);
    assert.throws(() => hpas('v2').canonicalize(Buffer.from('\0')));
  });
});
