import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { storedPrefix } from '@binnacle/api/table';
import { parseValueRetentions, resourceUnder, retentionsOf } from './value-retention.js';

const DAY_MS = 24 * 60 * 60_000;

describe('the retention of values by resource', () => {
  it('has the name of a resource and a duration', () => {
    const texts = ['secrets=0', 'events.events.k8s.io=5m', 'leases.coordination.k8s.io=1h', 'widgets.example.com=24h'];
    const read = parseValueRetentions(texts, DAY_MS);
    assert.deepEqual(
      read.map(({ resource, retentionMs }) => `${storedPrefix(resource, '/registry/')} ${retentionMs / 60_000}`),
      ['/registry/secrets/ 5', '/registry/events/ 5', '/registry/leases/ 60', '/registry/example.com/widgets/ 1440'],
    );
    assert.equal(parseValueRetentions(['secrets=48h'], 0)[0]?.retentionMs, 2 * DAY_MS, 'all history is kept');
  });

  it('is refused with the remedy', () => {
    for (const [text, message] of [
      ['secrets', '"secrets" is not RESOURCE=DURATION, such as secrets=0 or events.events.k8s.io=30m'],
      ['secret=0', '"secret" is not a resource: write secrets'],
      ['deploy=0', '"deploy" is not a resource: write deployments.apps'],
      ['deployments=1h', '"deployments" is not a resource: write deployments.apps'],
      ['Secret=0', '"Secret" is not a resource: write secrets'],
      ['nothing=0', /^"nothing" is not a stored resource: kubectl api-resources lists the names, such as/],
      ['tokenreviews.authentication.k8s.io=0', /is not a stored resource/],
      ['widgets.example=0', /is not a stored resource/],
      ['secrets=soon', 'secrets=soon has no duration, such as 30m or 24h, or 0'],
      ['secrets=1m', /^secrets=1m: give 5m or more, or 0 for the shortest time that clients can work with/],
      ['secrets=-1h', /^secrets=-1h: give 5m or more/],
      ['secrets=25h', /^secrets=25h is longer than --history-retention/],
      ['secrets=0,secrets=1h', 'secrets=0 and secrets=1h are of the same objects: give one of them'],
      ['events=0,events.events.k8s.io=1h', /are of the same objects/],
    ] as const) {
      assert.throws(() => parseValueRetentions(text.split(','), DAY_MS), { name: 'RangeError', message }, text);
    }
  });

  it('adds to that of the history where it ends earlier', () => {
    const retentions = (historyRetentionMs: number) =>
      retentionsOf({
        historyRetentionMs,
        valueRetentions: parseValueRetentions(['secrets=0', 'pods=1h'], 0),
        storagePrefix: '/registry/',
      }).map(({ retentionMs, valuesUnder = 'all' }) => `${valuesUnder} ${retentionMs / 60_000}`);
    assert.deepEqual(retentions(DAY_MS), ['all 1440', '/registry/secrets/ 5', '/registry/pods/ 60']);
    assert.deepEqual(retentions(0), ['all 0', '/registry/secrets/ 5', '/registry/pods/ 60']);
    assert.deepEqual(retentions(300_000), ['all 5']);
  });

  it('is named after the keys that it is about', () => {
    for (const name of ['secrets', 'services', 'leases.coordination.k8s.io', 'widgets.example.com']) {
      const [{ resource } = { resource: { group: '', resource: '' } }] = parseValueRetentions([`${name}=0`]);
      assert.equal(resourceUnder(storedPrefix(resource, '/registry/'), '/registry/'), name);
    }
  });
});
