import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventOf } from './event.testing.js';
import { lineOf } from './line.js';

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

  it('escapes what JSON escapes, and nothing else', () => {
    for (const text of [
      '"',
      '\\',
      '\u0000',
      '\t',
      '\u007f',
      '\u2028',
      '<&>',
      'é',
      '\u{1f600}',
      '\ud800',
      '\udfff',
      '\uffff',
    ]) {
      const { json } = eventOf({ requestUri: `/${text}`, userAgent: text, annotations: { [text]: `a${text}` } });
      assert.equal(json, JSON.stringify(JSON.parse(json)));
      assert.ok(json.includes(`"requestURI":${JSON.stringify(`/${text}`)},`), json);
    }
  });

  it('loses its bodies when it is truncated', () => {
    const shown = JSON.parse(
      eventOf({ requestObject: '{"a":1}', responseObject: '{"b":2}' }).truncated().json,
    ) as object;
    assert.equal('requestObject' in shown || 'responseObject' in shown, false);
    assert.deepEqual('annotations' in shown && shown.annotations, { 'audit.k8s.io/truncated': 'true' });
  });

  it('holds its bodies once', () => {
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
