import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseJson } from '../json/index.js';
import { decodeCbor, encodeCbor } from './index.js';

/** Objects and the bytes that upstream's serializer (apimachinery v0.36.0) writes for them. */
const written: Readonly<Record<'custom' | 'secret' | 'deployment', { readonly json: string; readonly hex: string }>> = {
  custom: {
    json:
      '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a","namespace":"default","uid":"0' +
      'b6a4b6a-3d0f-4b3e-9d0c-0c7f0d2f2a11","generation":1,"creationTimestamp":"2026-01-02T03:04:05Z","mana' +
      'gedFields":[{"manager":"me","operation":"Update","apiVersion":"example.com/v1","time":"2026-01-02T03' +
      ':04:05Z","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{".":{},"f:size":{}}}}]},"spec":{"size":3,"rat' +
      'io":0.1,"half":0.5,"big":9007199254740993,"negative":-70000,"text":"grüße 水 \\ud83d\\ude00","empty":""' +
      ',"none":null,"yes":true,"no":false,"list":[],"map":{},"deep":[{"b":1,"aa":2,"a":3,"ü":4}],"large":1e' +
      '300,"tiny":5e-324,"third":0.33333334326744079590}}',
    hex:
      'd9d9f7a4446b696e64465769646765744473706563b0426e6ff4436269671b0020000000000001436d6170a043796573f544' +
      '6465657081a44161034162014261610242c3bc044468616c66f93800446c69737480446e6f6e65f64473697a650344746578' +
      '74506772c3bcc39f6520e6b0b420f09f98804474696e79fb000000000000000145656d70747940456c61726765fb7e37e43c' +
      '8800759c45726174696ffb3fb999999999999a457468697264fa3eaaaaab486e656761746976653a0001116f486d65746164' +
      '617461a643756964582430623661346236612d336430662d346233652d396430632d306337663064326632613131446e616d' +
      '654161496e616d6573706163654764656661756c744a67656e65726174696f6e014d6d616e616765644669656c647381a644' +
      '74696d6554323032362d30312d30325430333a30343a30355a476d616e61676572426d65486669656c64735631a146663a73' +
      '706563a2412ea046663a73697a65a0496f7065726174696f6e465570646174654a61706956657273696f6e4e6578616d706c' +
      '652e636f6d2f76314a6669656c647354797065484669656c64735631516372656174696f6e54696d657374616d7054323032' +
      '362d30312d30325430333a30343a30355a4a61706956657273696f6e4e6578616d706c652e636f6d2f7631',
  },
  secret: {
    json:
      '{"kind":"Secret","apiVersion":"v1","metadata":{"name":"a","creationTimestamp":"2026-01-02T03:04:05Z"' +
      ',"managedFields":[{"manager":"me","operation":"Update","apiVersion":"v1","time":"2026-01-02T03:04:05' +
      'Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{".":{},"f:k":{}}}}]},"data":{"e":"","k":"/wAB"},"ty' +
      'pe":"Opaque"}',
    hex:
      'd9d9f7a54464617461a24165d640416bd643ff0001446b696e64465365637265744474797065464f7061717565486d657461' +
      '64617461a3446e616d6541614d6d616e616765644669656c647381a64474696d6554323032362d30312d30325430333a3034' +
      '3a30355a476d616e61676572426d65486669656c64735631a146663a64617461a2412ea043663a6ba0496f7065726174696f' +
      '6e465570646174654a61706956657273696f6e4276314a6669656c647354797065484669656c64735631516372656174696f' +
      '6e54696d657374616d7054323032362d30312d30325430333a30343a30355a4a61706956657273696f6e427631',
  },
  deployment: {
    json:
      '{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"d"},"spec":{"replicas":3,"selector":' +
      '{"matchLabels":{"app":"d"}},"template":{"metadata":{"labels":{"app":"d"}},"spec":{"containers":[{"na' +
      'me":"c","image":"i","ports":[{"containerPort":80}],"resources":{"limits":{"cpu":"500m","memory":"1Gi' +
      '"}}}]}},"strategy":{"rollingUpdate":{"maxUnavailable":1,"maxSurge":"25%"}}},"status":{}}',
    hex:
      'd9d9f7a5446b696e644a4465706c6f796d656e744473706563a4487265706c69636173034873656c6563746f72a14b6d6174' +
      '63684c6162656c73a1436170704164487374726174656779a14d726f6c6c696e67557064617465a2486d6178537572676543' +
      '3235254e6d6178556e617661696c61626c65014874656d706c617465a24473706563a14a636f6e7461696e65727381a4446e' +
      '616d65416345696d616765416945706f72747381a14d636f6e7461696e6572506f72741850497265736f7572636573a1466c' +
      '696d697473a243637075443530306d466d656d6f727943314769486d65746164617461a1466c6162656c73a1436170704164' +
      '46737461747573a0486d65746164617461a1446e616d6541644a61706956657273696f6e47617070732f7631',
  },
};

describe('bytes that upstream writes', () => {
  for (const [name, { json, hex }] of Object.entries(written)) {
    it(`decode to the same object: ${name}`, () => {
      assert.deepEqual(decodeCbor(Buffer.from(hex, 'hex')).value, parseJson(Buffer.from(json)).value);
    });
  }

  it('equal ours for objects without byte strings', () => {
    for (const { json, hex } of [written.custom, written.deployment]) {
      assert.equal(encodeCbor(parseJson(Buffer.from(json)).value).toString('hex'), hex);
    }
  });
});
