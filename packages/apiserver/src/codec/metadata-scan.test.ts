import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { labelsOf, metadataOffset, sortedVersionOffset, versionOffset } from './metadata-scan.js';

const HEAD = '{"kind":"Pod","apiVersion":"v1",';

const metadata = fc.record(
  {
    name: fc.string(),
    annotations: fc.dictionary(fc.string(), fc.string()),
    generation: fc.integer(),
    creationTimestamp: fc.constant(null),
    labels: fc.dictionary(fc.string(), fc.string()),
    ownerReferences: fc.array(fc.record({ labels: fc.string(), deep: fc.array(fc.array(fc.string())) })),
  },
  { requiredKeys: [] },
);

describe('labelsOf', () => {
  it('finds the same labels as a decoder, at any position in metadata', () => {
    fc.assert(
      fc.property(metadata, fc.boolean(), fc.json(), (parts, reversed, rest) => {
        const entries = Object.entries(parts);
        const text = `${HEAD}"metadata":${JSON.stringify(Object.fromEntries(reversed ? entries.toReversed() : entries))},"spec":{"labels":{"not":"these"},"x":${rest}}}`;
        const expected = (JSON.parse(text) as { metadata: { labels?: object } }).metadata.labels ?? {};
        assert.deepEqual({ ...labelsOf(Buffer.from(text), HEAD.length) }, { ...expected });
      }),
    );
  });

  it('ignores text that looks like labels', () => {
    const text = `${HEAD}"metadata":{"annotations":{"a":"\\"labels\\":{\\"x\\":\\"y\\"}\\\\"}},"labels":{"no":"no"}}`;
    assert.deepEqual(labelsOf(Buffer.from(text), HEAD.length), {});
  });

  it('reads within a larger buffer, and refuses objects without metadata', () => {
    const text = `${HEAD}"metadata":{"labels":{"a":"b"}}}`;
    const bytes = Buffer.from(`xx${text}`).subarray(2);
    assert.deepEqual(labelsOf(bytes, HEAD.length), { a: 'b' });
    assert.throws(() => labelsOf(Buffer.from('{"kind":"Pod"}'), 3), /without metadata/);
  });
});

describe('versionOffset', () => {
  it('is where upstream writes the version, whichever fields are present', () => {
    const members = ['"name":"a"', '"generateName":"\\",\\"uid\\":\\"x"', '"namespace":"n"', '"uid":"u"'];
    const later = ['"generation":1', '"ownerReferences":[{"name":"o","uid":"other"}]'];
    fc.assert(
      fc.property(fc.subarray(members), fc.subarray(later), (before, after) => {
        const text = `${HEAD}"metadata":{${[...before, ...after].join(',')}},"data":{"uid":"x"}}`;
        const expected = `${HEAD}"metadata":{${before.map((member) => `${member},`).join('')}`;
        const length = after.length === 0 && before.length > 0 ? expected.length - 1 : expected.length;
        assert.equal(versionOffset(Buffer.from(text), HEAD.length), length);
      }),
    );
  });
});

describe('sorted keys', () => {
  const head = '{"apiVersion":"example.com/v1","kind":"Thing",';

  it('have metadata after any fields that sort before it', () => {
    fc.assert(
      fc.property(fc.json(), fc.json(), (before, between) => {
        const fields = `{"a":${before},"apiVersion":"example.com/v1","kind":"Thing","l":${between},`;
        for (const text of [`${head}"metadata":{}}`, `${fields}"metadata":{"name":"a"},"z":{"metadata":{}}}`]) {
          const at = text.lastIndexOf('"metadata":{"name"');
          assert.equal(metadataOffset(Buffer.from(text), head.length), at === -1 ? head.length : at);
        }
      }),
    );
    assert.throws(() => metadataOffset(Buffer.from('{"a":{"metadata":{}}}'), head.length), /without metadata/);
  });

  it('have the version after namespace and before the next field', () => {
    const before = ['"name":"\\"uid\\":"', '"namespace":"n"', '"ownerReferences":[{"uid":"other"}]'];
    const after = ['"selfLink":"s"', '"uid":"u"'];
    fc.assert(
      fc.property(fc.subarray(before), fc.subarray(after), (first, last) => {
        const text = `${head}"metadata":{${[...first, ...last].join(',')}},"spec":{}}`;
        const start = `${head}"metadata":{${first.map((member) => `${member},`).join('')}`;
        const length = last.length === 0 && first.length > 0 ? start.length - 1 : start.length;
        assert.equal(sortedVersionOffset(Buffer.from(text), head.length), length);
      }),
    );
  });
});
