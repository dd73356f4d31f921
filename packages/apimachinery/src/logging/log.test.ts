import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '../clock/index.js';
import { jsonFormat, Log, type LogFormat, textFormat } from './index.js';

function logWith(verbosity: number, format: LogFormat = jsonFormat) {
  const clock = new VirtualClock(Date.UTC(2026, 10, 28, 16, 20, 0, 123));
  const lines: string[] = [];
  return { log: new Log({ clock, format, verbosity, write: (line) => lines.push(line) }), clock, lines };
}

describe('Log', () => {
  it('writes text as klog does, one line each', () => {
    const { log, lines } = logWith(3, textFormat(42));
    log.info(3, 'requests', 'HTTP', [
      ['verb', 'GET'],
      ['resp', 200],
      ['hijacked', true],
    ]);
    log.error('server', 'Request failed', new Error('a\nb'), [['URI', '/"x"']]);
    assert.deepEqual(lines, [
      'I1128 16:20:00.123000      42 binnacle] "HTTP" logger="requests" verb="GET" resp=200 hijacked=true\n',
      'E1128 16:20:00.123000      42 binnacle] "Request failed" err="a\\nb" logger="server" URI="/\\"x\\""\n',
    ]);
  });

  it('writes JSON, one line each', () => {
    const { log, lines } = logWith(3);
    log.info(3, 'requests', 'HTTP', [['resp', 200]]);
    log.error('server', 'Request failed', 'a\nb');
    log.error('server', 'the check passes again', undefined);
    const ts = Date.UTC(2026, 10, 28, 16, 20, 0, 123);
    assert.deepEqual(lines, [
      `{"ts":${ts},"logger":"requests","msg":"HTTP","v":3,"resp":200}\n`,
      `{"ts":${ts},"logger":"server","msg":"Request failed","err":"a\\nb"}\n`,
      `{"ts":${ts},"logger":"server","msg":"the check passes again"}\n`,
    ]);
  });

  it('drops records of a higher verbosity', () => {
    const { log, lines } = logWith(2);
    assert.deepEqual([log.enabled(2), log.enabled(3)], [true, false]);
    log.info(3, 'requests', 'HTTP');
    log.info(2, 'requests', 'shown');
    assert.equal(lines.length, 1);
  });

  it('limits errors, says how many it dropped, and cuts long values', async () => {
    const { log, clock, lines } = logWith(0);
    for (let count = 0; count < 5000; count++) log.error('server', 'failed', 'x'.repeat(5000));
    assert.equal(lines.length, 1000);
    assert.ok((lines[0] ?? '').length < 4300);
    await clock.advance(100);
    log.error('server', 'failed', 'y');
    assert.match(lines.at(-1) ?? '', /"droppedErrors":4000\}\n$/);
    log.info(0, 'server', 'information is not limited');
    assert.equal(lines.length, 1002);
  });
});
