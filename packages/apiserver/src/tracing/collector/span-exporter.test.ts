import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom, VirtualClock } from '@binnacle/apimachinery/clock';
import { Tracer } from '@binnacle/apimachinery/tracing';
import { SpanExporter } from './span-exporter.js';

function exporterTo(answer: () => Promise<void>) {
  const clock = new VirtualClock();
  const messages: Buffer[] = [];
  const reported: unknown[] = [];
  const ended: string[] = [];
  const exporter = new SpanExporter({
    collector: {
      export: (message) => {
        messages.push(message);
        return answer();
      },
      endSoon: () => void ended.push('soon'),
      close: () => {
        ended.push('closed');
        return Promise.resolve();
      },
    },
    resource: { 'service.name': 'apiserver' },
    clock,
    report: (error) => void reported.push(error),
  });
  const tracer = new Tracer({
    clock,
    random: seededRandom(1),
    samplingRatePerMillion: 1_000_000,
    exportSpan: (span) => exporter.take(span),
  });
  const end = (name: string, count = 1) => {
    for (let index = 0; index < count; index++) {
      tracer.begin(name, 'server', { remote: undefined, continues: true, at: 0 })?.end();
    }
  };
  return { clock, messages, reported, ended, exporter, end };
}

describe('SpanExporter', () => {
  it('sends what has ended after five seconds, and the rest when it closes', async () => {
    const { clock, messages, ended, exporter, end } = exporterTo(() => Promise.resolve());
    end('first');
    end('second');
    await clock.advance(5000);
    assert.equal(messages.length, 1);
    assert.match(messages[0]?.toString('latin1') ?? '', /apiserver.*first.*second/s);
    end('third');
    await exporter.close();
    assert.match(messages[1]?.toString('latin1') ?? '', /third/);
    assert.deepEqual(ended, ['soon', 'closed']);
  });

  it('says once that spans are lost, until others arrive', async () => {
    let isDown = true;
    const { clock, reported, end } = exporterTo(() => (isDown ? Promise.reject(new Error('down')) : Promise.resolve()));
    for (const down of [true, true, false, true]) {
      isDown = down;
      end('span');
      await clock.advance(5000);
    }
    assert.equal(reported.length, 2);
  });

  it('keeps 2,048 spans at most', () => {
    const { messages, reported, end } = exporterTo(() => new Promise(() => undefined));
    end('span', 4000);
    assert.equal(messages.length, 0);
    assert.equal(reported.length, 1);
  });
});
