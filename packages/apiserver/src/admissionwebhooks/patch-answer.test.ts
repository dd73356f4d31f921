import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WorkBudget } from '@binnacle/apimachinery/work';
import { patched, readPatch } from './patch-answer.js';

const read = (text: string) => readPatch(Buffer.from(text));
const undecodable = (reason: string) => ({
  name: 'WebhookCallError',
  message: `received undecodable patch in webhook response: ${reason}`,
});

describe('the patch of a webhook', () => {
  it('is a list of operations, or null', async () => {
    assert.deepEqual(await read('null'), []);
    assert.deepEqual(await read('[]'), []);
    await assert.rejects(read('hello'), undecodable("invalid character 'h' looking for beginning of value"));
    const type = 'Go value of type jsonpatch';
    await assert.rejects(read('{}'), undecodable(`json: cannot unmarshal object into ${type}.Patch`));
    await assert.rejects(read('[true]'), undecodable(`json: cannot unmarshal bool into ${type}.Operation`));
  });

  it('is applied as a whole, or fails in upstream words', async () => {
    const document = { data: { a: '1' } };
    const apply = async (text: string) => patched(document, await read(text), new WorkBudget());
    assert.deepEqual(await apply('[{"op":"add","path":"/data/b","value":"2"}]'), { data: { a: '1', b: '2' } });
    await assert.rejects(apply('[{"op":"frob","path":"/data/a"}]'), {
      code: 500,
      message: 'Internal error occurred: Unexpected kind: frob',
    });
    await assert.rejects(apply('[{"op":"replace","path":"","value":[]}]'), { code: 500 });
    assert.deepEqual(document, { data: { a: '1' } });
  });
});
