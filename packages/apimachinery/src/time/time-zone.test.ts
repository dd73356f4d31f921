import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TimeZone } from './index.js';

describe('a time zone', () => {
  for (const [zone, text] of [
    ['', '2026-01-01T12:00:00Z'],
    ['UTC', '2026-01-01T12:00:00Z'],
    ['Europe/London', '2026-01-01T12:00:00Z'],
    ['Asia/Tokyo', '2026-01-01T21:00:00+09:00'],
    ['Asia/Kathmandu', '2026-01-01T17:45:00+05:45'],
    ['US/Pacific', '2026-01-01T04:00:00-08:00'],
    ['Asia/Calcutta', '2026-01-01T17:30:00+05:30'],
    ['Asia/Kolkata', '2026-01-01T17:30:00+05:30'],
    ['Etc/GMT+5', '2026-01-01T07:00:00-05:00'],
    ['EST5EDT', '2026-01-01T07:00:00-05:00'],
    ['America/St_Johns', '2026-01-01T08:30:00-03:30'],
  ] as const) {
    it(`${zone} formats as ${text}`, () =>
      assert.equal(TimeZone.of(zone)?.format(Date.parse('2026-01-01T12:00:00Z')), text));
  }

  for (const name of [
    'Mars/Base',
    '+02:00',
    '-05',
    '__proto__',
    'europe/london',
    'utc',
    'ETC/utc',
    'SystemV/AST4',
    'US/Pacific-New',
    'local',
  ]) {
    it(`is unknown: ${name}`, () => assert.equal(TimeZone.of(name), undefined));
  }

  it('is made once', () => assert.equal(TimeZone.of('Europe/Berlin'), TimeZone.of('Europe/Berlin')));

  for (const [time, offset] of [
    ['-000100-01-01T00:00:00Z', 3208],
    ['0050-01-01T00:00:00Z', 3208],
    ['1893-03-31T23:06:31Z', 3208],
    ['1893-03-31T23:06:32Z', 3600],
    ['1945-05-24T00:00:00Z', 10800],
    ['2026-07-01T00:00:00.999Z', 7200],
    ['9999-12-31T23:59:59Z', 3600],
  ] as const) {
    it(`Europe/Berlin is ${offset} seconds east at ${time}`, () =>
      assert.equal(TimeZone.of('Europe/Berlin')?.offsetAt(Date.parse(time)), offset * 1000));
  }
});
