import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { JsonWriter, quoteJson } from '@binnacle/apimachinery/json';
import type { Status } from '@binnacle/apimachinery/status';
import { formatMicroTime } from '@binnacle/apimachinery/time';
import type { AuditEvent } from './event.js';
import { eventOf } from './event.testing.js';
import { type LogFormat, writeLine } from './line.js';

function lineOf(event: AuditEvent, format: LogFormat): string {
  const writer = new JsonWriter();
  writeLine(writer, event, format);
  return writer.toText();
}

describe('AuditEvent', () => {
  it('is JSON with the fields in upstream’s order, and leaves out what is empty', () => {
    const event = eventOf({
      impersonatedUser: { username: 'jane', groups: ['dev'], extra: { b: ['2'], a: ['1'] } },
      impersonationConstraint: 'impersonate:user-info',
      userAgent: 'kubectl',
      responseStatus: { code: 201 },
      requestObject: '{"kind":"Pod"}',
      responseObject: '{"kind":"Pod","status":{}}',
      annotations: { z: '1', a: '2' },
    });
    assert.equal(
      event.json,
      '{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"id","stage":"ResponseComplete",' +
        '"requestURI":"/api/v1/namespaces/shop/pods","verb":"create","user":{"username":"admin","groups":["system:masters"]},' +
        '"impersonatedUser":{"username":"jane","groups":["dev"],"extra":{"a":["1"],"b":["2"]}},' +
        '"authenticationMetadata":{"impersonationConstraint":"impersonate:user-info"},"sourceIPs":["127.0.0.1"],' +
        '"userAgent":"kubectl","objectRef":{"resource":"pods","namespace":"shop","apiVersion":"v1"},' +
        '"responseStatus":{"metadata":{},"code":201},"requestObject":{"kind":"Pod"},"responseObject":{"kind":"Pod","status":{}},' +
        '"requestReceivedTimestamp":"2026-01-02T03:04:05.000000Z","stageTimestamp":"2026-01-02T03:04:05.006000Z",' +
        '"annotations":{"a":"2","z":"1"}}',
    );
  });

  it('has times with microseconds', () => {
    const second = Date.UTC(2026, 0, 2, 3, 4, 5);
    for (const [receivedAt, stageAt] of [
      [second, second + 999.9996],
      [second + 0.25, second + 1000],
      [second + 59_999.001, second + 86_400_000.0625],
    ] as const) {
      const { json } = eventOf({ receivedAt, stageAt });
      const [received, staged] = [receivedAt, stageAt].map(formatMicroTime);
      assert.ok(json.includes(`"requestReceivedTimestamp":"${received}","stageTimestamp":"${staged}"`), json);
    }
  });

  it('escapes what Go escapes, and nothing else', () => {
    for (const text of [
      '"',
      '\\',
      '\u0000',
      '\t',
      '\u2028',
      '<&>',
      'é',
      '\u{1f600}',
      '\uffff',
      `é<${'x'.repeat(100)}`,
    ]) {
      const { json } = eventOf({
        requestUri: `/${text}`,
        userAgent: text,
        user: { username: text, groups: [text] },
        annotations: { [text]: `a${text}` },
      });
      assert.ok(json.includes(`"requestURI":${quoteJson(`/${text}`)},`), json);
      assert.ok(json.includes(`"userAgent":${quoteJson(text)},`), json);
      assert.ok(json.includes(`"user":{"username":${quoteJson(text)},"groups":[${quoteJson(text)}]},`), json);
      assert.ok(json.endsWith(`"annotations":{${quoteJson(text)}:${quoteJson(`a${text}`)}}}`), json);
    }
    assert.match(eventOf({ requestUri: '/api?a=1&b=2' }).json, /"requestURI":"\/api\?a=1\\u0026b=2"/);
  });

  it('shows each member of an answer’s status', () => {
    const shown = (responseStatus: Partial<Status>) =>
      /"responseStatus":(.*),"requestReceived/.exec(eventOf({ responseStatus }).json)?.[1];
    assert.equal(shown({ code: 200 }), '{"metadata":{},"code":200}');
    assert.equal(shown({}), '{"metadata":{}}');
    assert.equal(shown({ reason: 'Gone', code: 410 }), '{"metadata":{},"reason":"Gone","code":410}');
    assert.equal(
      shown({
        status: 'Failure',
        message: '"x" & y',
        reason: 'NotFound',
        details: { name: 'x', kind: 'pods' },
        code: 404,
      }),
      '{"metadata":{},"status":"Failure","message":"\\"x\\" \\u0026 y","reason":"NotFound","details":{"name":"x","kind":"pods"},"code":404}',
    );
  });

  it('ends with the annotations of authorization, alone or among others', () => {
    const allowed = { 'authorization.k8s.io/decision': 'allow', 'authorization.k8s.io/reason': 'by "x"' };
    const members = '"authorization.k8s.io/decision":"allow","authorization.k8s.io/reason":"by \\"x\\""';
    for (let time = 0; time < 2; time++) {
      assert.ok(eventOf({ annotations: allowed }).json.endsWith(`Z","annotations":{${members}}}`));
    }
    assert.ok(eventOf({ annotations: { ...allowed, a: '1' } }).json.endsWith(`Z","annotations":{"a":"1",${members}}}`));
    const forbidden = { ...allowed, 'authorization.k8s.io/decision': 'forbid' };
    assert.ok(
      eventOf({ annotations: forbidden }).json.endsWith(`Z","annotations":{${members.replace('allow', 'forbid')}}}`),
    );
    assert.ok(eventOf({}).json.endsWith('Z"}'));
  });

  it('formats the user of a thousand events once', () => {
    let reads = 0;
    const user = {
      get username() {
        reads++;
        return 'jane';
      },
      groups: ['dev'],
    };
    const sourceIps = ['127.0.0.1'];
    const texts = new Set(Array.from({ length: 1000 }, () => eventOf({ user, sourceIps }).json));
    assert.equal(texts.size, 1);
    const formatted = reads;
    assert.match(
      eventOf({ user, sourceIps, userAgent: 'other' }).json,
      /"username":"jane","groups":\["dev"\]\},"sourceIPs":\["127.0.0.1"\],"userAgent":"other"/,
    );
    assert.equal(reads, formatted);
    assert.ok(formatted <= 2);
  });

  it('loses its bodies when it is truncated', () => {
    const shown = JSON.parse(
      eventOf({ requestObject: '{"a":1}', responseObject: '{"b":2}' }).truncated().json,
    ) as object;
    assert.equal('requestObject' in shown || 'responseObject' in shown, false);
    assert.deepEqual('annotations' in shown && shown.annotations, { 'audit.k8s.io/truncated': 'true' });
  });

  it('drops its bodies once its JSON holds them', () => {
    const event = eventOf({ requestObject: '{"a":1}', responseObject: '{"b":2}' });
    assert.equal(event.fields.requestObject, '{"a":1}');
    const { json } = event;
    assert.match(json, /"requestObject":\{"a":1\},"responseObject":\{"b":2\}/);
    assert.deepEqual([event.fields.requestObject, event.fields.responseObject], [undefined, undefined]);
    assert.equal(event.json, json);
  });

  it('is a line of JSON, or of the legacy format', () => {
    assert.equal(lineOf(eventOf({}), 'json'), `${eventOf({}).json}\n`);
    assert.equal(
      lineOf(eventOf({}), 'legacy'),
      '2026-01-02T03:04:05.000000Z AUDIT: id="id" stage="ResponseComplete" ip="127.0.0.1" method="create" user="admin" ' +
        'groups="system:masters" as="<self>" asgroups="<lookup>" user-agent="" namespace="shop" ' +
        'uri="/api/v1/namespaces/shop/pods" response="<deferred>"\n',
    );
  });
});
