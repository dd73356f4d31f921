import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TimeZone } from '../time/index.js';
import { CronParseError, parseSchedule } from './index.js';

describe('a schedule', () => {
  for (const [text, after, zone, ...times] of [
    ['* * * * *', '2026-01-01T12:00:00Z', 'UTC', '2026-01-01T12:01:00Z', '2026-01-01T12:02:00Z'],
    ['* * * * *', '1926-01-01T12:00:00Z', 'UTC', '1926-01-01T12:01:00Z', '1926-01-01T12:02:00Z'],
    ['* * * * *', '2026-01-01T12:00:59.900Z', 'UTC', '2026-01-01T12:01:00Z'],
    ['*/20 * * * *', '2026-01-01T12:21:00Z', 'UTC', '2026-01-01T12:40:00Z', '2026-01-01T13:00:00Z'],
    ['5/20 * * * *', '2026-01-01T12:21:00Z', 'UTC', '2026-01-01T12:25:00Z', '2026-01-01T12:45:00Z'],
    ['0 0 29 2 *', '2026-01-01T12:00:00Z', 'UTC', '2028-02-29T00:00:00Z'],
    ['0 0 31 * *', '2026-01-31T00:00:00Z', 'UTC', '2026-03-31T00:00:00Z'],
    [
      '0 0 13 * FRI',
      '2026-01-01T00:00:00Z',
      'UTC',
      '2026-01-02T00:00:00Z',
      '2026-01-09T00:00:00Z',
      '2026-01-13T00:00:00Z',
    ],
    ['0 0 */2 * FRI', '2026-01-01T00:00:00Z', 'UTC', '2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z'],
    ['0 0 ? * sun', '2026-01-01T00:00:00Z', 'UTC', '2026-01-04T00:00:00Z'],
    ['@weekly', '2026-01-01T00:00:00Z', 'UTC', '2026-01-04T00:00:00Z'],
    ['@yearly', '2026-01-01T00:00:00Z', 'UTC', '2027-01-01T00:00:00Z'],
    ['@every 90m', '2026-01-01T00:00:00.500Z', 'UTC', '2026-01-01T01:30:00Z'],
    ['@every 10ms', '2026-01-01T00:00:00Z', 'UTC', '2026-01-01T00:00:01Z'],
    ['0 9 * * *', '2026-01-01T00:00:00Z', 'Asia/Tokyo', '2026-01-02T00:00:00Z'],
    ['TZ=Asia/Tokyo 0 9 * * *', '2026-01-01T00:00:00Z', 'UTC', '2026-01-02T00:00:00Z'],
    ['CRON_TZ=Asia/Kolkata 0 0 * * *', '2026-01-01T00:00:00Z', 'UTC', '2026-01-01T18:30:00Z'],
    // The hour from 2 to 3 does not exist on 8 March.
    ['30 2 * * *', '2026-03-07T12:00:00Z', 'America/New_York', '2026-03-09T06:30:00Z'],
    ['30 3 * * *', '2026-03-07T12:00:00Z', 'America/New_York', '2026-03-08T07:30:00Z'],
    // The hour from 1 to 2 exists twice on 1 November.
    ['30 1 * * *', '2026-10-31T12:00:00Z', 'America/New_York', '2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z'],
    ['0 3 * * *', '2026-11-01T06:10:00Z', 'America/New_York', '2026-11-01T08:00:00Z'],
    // Midnight does not exist on 4 November.
    ['0 0 * * *', '2018-11-03T12:00:00Z', 'America/Sao_Paulo', '2018-11-05T02:00:00Z'],
    ['0 12 4 * *', '2018-11-03T12:00:00Z', 'America/Sao_Paulo', '2018-11-04T14:00:00Z'],
    // Midnight does not exist on 24 April.
    ['30 1 24 4 *', '2026-04-01T12:00:00Z', 'Africa/Cairo', '2026-04-23T22:30:00Z', '2027-04-23T23:30:00Z'],
    ['0 0 24 4 *', '2026-04-01T12:00:00Z', 'Africa/Cairo', '2027-04-23T22:00:00Z'],
  ] as const) {
    it(`${text} after ${after} in ${zone}: ${times.join(', ')}`, () => {
      const schedule = parseSchedule(text, zone);
      let time = Date.parse(after);
      for (const expected of times) {
        time = schedule.next(time) ?? NaN;
        assert.equal(new Date(time).toISOString(), new Date(expected).toISOString());
      }
    });
  }

  for (const [text, sameAs] of [
    ['*/9007199254740993 * * * *', '0 * * * *'],
    ['*/9223372036854775807 * * * *', '0 * * * *'],
    ['*/0000000000000000000000002 * * * *', '*/2 * * * *'],
    ['*\u0085* * * *', '* * * * *'],
    ['*\u2003* *\u00a0* *', '* * * * *'],
  ] as const) {
    it(`${JSON.stringify(text)} is ${sameAs}`, () => {
      const after = Date.parse('2026-01-01T00:01:00Z');
      assert.equal(parseSchedule(text, 'UTC').next(after), parseSchedule(sameAs, 'UTC').next(after));
    });
  }

  it('may have no time', () => {
    assert.equal(parseSchedule('59 23 31 2 *', 'UTC').next(Date.parse('2026-01-01T00:00:00Z')), undefined);
  });

  // Robfig/cron accepts a field without values, and its search ends after five years.
  for (const text of [', * * * *', '* , * * *', '* * , * *', '* * * , *', '* * * * ,', ', , , , ,']) {
    it(`has no time with a field without values: ${text}`, () => {
      assert.equal(parseSchedule(text, 'Africa/Casablanca').next(0), undefined);
    });
  }

  for (const [text, zone] of [
    [', * * * *', 'UTC'],
    ['* , * * *', 'Africa/Casablanca'],
    ['0 0 31 2 *', 'Africa/Casablanca'],
    ['0 0 31 2,4,6,9,11 *', 'America/New_York'],
    ['59 23 29 2 *', 'Africa/Cairo'],
    ['59 23 31 12 6', 'Europe/London'],
    ['30 2 8 3 *', 'America/New_York'],
  ] as const) {
    it(`takes few steps to search: ${text} in ${zone}`, (context) => {
      const steps = context.mock.method(TimeZone.prototype, 'wallClock');
      parseSchedule(text, zone).next(Date.parse('2028-02-29T23:59:30Z'));
      assert.ok(steps.mock.callCount() < 300, `${steps.mock.callCount()} steps`);
    });
  }

  it('reads each of its expressions once', (context) => {
    const splits = context.mock.method(String.prototype, 'split');
    parseSchedule(`${'1,'.repeat(100_000)}2 * * * *`, 'UTC');
    assert.ok(splits.mock.callCount() < 100, String(splits.mock.callCount()));
  });

  for (const [text, problem] of [
    ['', 'empty spec string'],
    ['whenever', 'expected exactly 5 fields, found 1: [whenever]'],
    ['* * * * * *', 'expected exactly 5 fields, found 6: [* * * * * *]'],
    ['61 * * * *', 'end of range (61) above maximum (59): 61'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['* * * 0 *', 'beginning of range (0) below minimum (1): 0'],
    ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
    ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
    ['*/2/3 * * * *', 'too many slashes: */2/3'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
    [
      '99999999999999999999 * * * *',
      'failed to parse int from 99999999999999999999: strconv.Atoi: parsing "99999999999999999999": value out of range',
    ],
    ['9007199254740993 * * * *', 'end of range (9007199254740993) above maximum (59): 9007199254740993'],
    [
      '*/9223372036854775808 * * * *',
      'failed to parse int from 9223372036854775808: strconv.Atoi: parsing "9223372036854775808": value out of range',
    ],
    ['*\ufeff* * * *', 'expected exactly 5 fields, found 4: [*\ufeff* * * *]'],
    ['*/-5 * * * *', 'negative number (-5) not allowed: -5'],
    ['TZ=Mars/Base * * * * *', 'provided bad location Mars/Base: unknown time zone Mars/Base'],
    ['TZ=+02:00 * * * * *', 'provided bad location +02:00: unknown time zone +02:00'],
    ['TZ=UTC', 'invalid schedule format: runtime error: slice bounds out of range [:-1]'],
    ['@never', 'unrecognized descriptor: @never'],
    ['@every hour', 'failed to parse duration @every hour: time: invalid duration "hour"'],
    ['@every 5', 'failed to parse duration @every 5: time: missing unit in duration "5"'],
  ] as const) {
    it(`${text}: ${problem}`, () => assert.throws(() => parseSchedule(text), new CronParseError(problem)));
  }
});
