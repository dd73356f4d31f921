import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PastEvent } from './history-client.js';
import { blameLines, eventLine, eventText, objectName } from './printed.js';

const writer = { user: 'eve', manager: 'eve', userAgent: '', verb: 'update', subresource: 'status', auditID: '' };
const event: PastEvent = {
  type: 'MODIFIED',
  resourceVersion: '7',
  time: undefined,
  writer,
  object: { metadata: { name: 'n' }, a: 1, b: 1, c: 1, d: 1, e: 1 },
  previous: { metadata: { name: 'n' } },
};

describe('an event as text', () => {
  it('names three changes, and says how many more there are', () => {
    const changes = '.a: (none) -> 1, .b: (none) -> 1, .c: (none) -> 1, 2 more';
    assert.equal(eventLine(event), `7  -  eve  update status  n  ${changes}`);
  });

  it('shows control characters, and does not print them', () => {
    const named = (name: string, value: number) => ({ items: [{ name, value }] });
    const forged = 'a\n9  -  root  delete\u001b[2J\u009b1m';
    const odd = {
      ...event,
      writer: { ...writer, user: 'eve\u001b[8m', userAgent: '\u007f' },
      previous: named(forged, 1),
    };
    const text = eventText({ ...odd, object: named(forged, 2) });
    assert.ok(!/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/.test(text), text);
    assert.equal(text.split('\n').length, 5);
    assert.match(text, /eve\\u001b\[8m \(eve\)/);
    assert.match(text, /\[name=a\\u000a9 {2}- {2}root {2}delete\\u001b\[2J\\u009b1m\]/);
    const [line = ''] = blameLines([{ text: `[name=${forged}]`, value: 1, event }]);
    assert.ok(line.endsWith('[name=a\\u000a9  -  root  delete\\u001b[2J\\u009b1m]: 1'), line);
  });

  it('names an object without control characters', () => {
    const named = { ...event, object: { kind: 'Role', metadata: { namespace: 'n', name: '\u001b[2Ja\u202eb' } } };
    assert.equal(objectName(named), 'Role n/\\u001b[2Ja\\u202eb');
  });

  it('shortens long values in a line', () => {
    const [before, after] = ['x'.repeat(100), 'short'];
    const line = eventLine({ ...event, object: { text: after }, previous: { text: before } });
    assert.ok(line.endsWith(`  .text: "${'x'.repeat(36)}... -> "short"`), line);
  });

  it('has whole values, and dashes for what the server does not know', () => {
    const text = eventText({ ...event, object: { kind: 'K', text: 'x'.repeat(100) }, previous: { kind: 'K' } });
    assert.match(text, /^ {2}agent -, audit -$/m);
    assert.ok(text.endsWith(`\n  + .text: "${'x'.repeat(100)}"\n`), text);
  });
});

describe('blame as text', () => {
  it('aligns its columns, and says what is older than the history', () => {
    const fields = [
      { text: '.a', value: 1, event },
      { text: '.b', value: 2, event: undefined },
    ];
    assert.deepEqual(blameLines(fields), ['7  -                   eve  .a: 1', '-  before the history       .b: 2']);
  });
});
