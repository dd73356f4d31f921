import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { seededRandom, VirtualClock } from '@binnacle/apimachinery/clock';
import { type ResourceFacts, resources } from '@binnacle/api/table';
import { parseGroupVersion } from '@binnacle/apimachinery/meta';
import { MetricRegistry } from '@binnacle/apimachinery/metrics';
import { isEnvelope } from '@binnacle/apimachinery/serializer';
import { openMemoryKV } from '@binnacle/kv/memory';
import { ResourceMetrics } from '../metrics/index.js';
import { createStorageUnit, type StorageUnit } from './catalog/storage-unit.js';

const clock = new VirtualClock();
const root = fileURLToPath(new URL('../../../../', import.meta.url));
const folder = join(root, '.cache/upstream-samples');
/** CI must have the samples. */
const skip =
  existsSync(folder) || process.env['CI'] === 'true'
    ? false
    : 'node scripts/fetch-upstream-samples.mjs fetches the samples';

/** Upstream's sample of a kind in one version, with every field set. */
function sample(apiVersion: string, kind: string, encoding: 'pb' | 'json'): Buffer | undefined {
  const { group, version } = parseGroupVersion(apiVersion) ?? { group: '', version: '' };
  const file = join(folder, `${group === '' ? 'core' : group}.${version}.${kind}.${encoding}`);
  return existsSync(file) ? readFileSync(file) : undefined;
}

describe('upstream samples as stored values', { skip }, () => {
  const kv = openMemoryKV();
  const units = new Map<string, { facts: ResourceFacts; unit: StorageUnit }>();
  before(() => {
    for (const each of resources()) {
      if (each.etcdPrefix === undefined || units.has(each.etcdPrefix)) continue;
      const unit = createStorageUnit(each, {
        kv,
        storagePrefix: '/registry/',
        storageMediaType: 'application/vnd.kubernetes.protobuf',
        metrics: new ResourceMetrics(new MetricRegistry(), clock),
        selectableFields: () => ({}),
        clock,
        random: seededRandom(1),
      });
      units.set(each.etcdPrefix, { facts: each, unit });
    }
  });
  after(async () => {
    for (const { unit } of units.values()) unit.cacher.stop();
    await kv.close();
  });

  it('decode to the same object from either encoding in each version; and so do the values written for it', async () => {
    let compared = 0;
    for (const { facts, unit } of units.values()) {
      const { versions } = unit;
      await versions.beforeWriting();
      for (const apiVersion of unit.codecs.keys()) {
        const protobuf = sample(apiVersion, facts.kind, 'pb');
        const json = sample(apiVersion, facts.kind, 'json');
        if (protobuf === undefined || json === undefined) continue;
        const what = `${apiVersion} ${facts.kind}`;
        await versions.beforeReading(protobuf);
        const canonical = Buffer.from(versions.canonicalize(protobuf));
        assert.equal(canonical.toString(), Buffer.from(versions.canonicalize(json)).toString(), what);

        const written = versions.toStored(canonical);
        assert.equal(isEnvelope(written), facts.group !== 'apiextensions.k8s.io', what);
        assert.equal(Buffer.from(versions.canonicalize(written)).toString(), canonical.toString(), what);
        compared += 1;
      }
    }
    assert.ok(compared >= 80, `${compared} samples`);
  });
});
