import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { AdmissionPlugin } from '../admission/index.js';
import { answer, configMap, describeWatchCacheModes, testResource, testScope } from '../testing/index.js';

const url = '/api/v1/namespaces/default/configmaps/a';

describeWatchCacheModes('PUT', (mode) => {
  it('begins each attempt with what was sent', async () => {
    await using resource = testResource(mode);
    await resource.store.create(testScope(), configMap('a'));
    let attempts = 0;
    const rival: AdmissionPlugin = {
      name: 'Rival',
      handles: () => true,
      admit: async ({ object }) => {
        attempts++;
        assert.deepEqual(object && 'data' in object && object.data, { mine: '1' });
        if (object !== undefined) Object.assign(object, { data: { admitted: String(attempts) } });
        if (attempts > 2) return;
        const transform = () => ({ ...configMap('a'), data: { rival: String(attempts) } });
        await resource.store.update(testScope(), { name: 'a', transform });
      },
    };
    const { status, warnings } = await answer(
      { ...resource.endpoint, plugins: [rival] },
      {
        method: 'PUT',
        url,
        headers: { 'content-type': 'application/json' },
        body: '{"metadata":{"name":"a"},"data":{"mine":"1"},"unknown":"field"}',
      },
    );
    assert.deepEqual([status, attempts], [200, 3]);
    assert.deepEqual(warnings, ['unknown field "unknown"']);
    assert.deepEqual((await resource.reader.get('default', 'a')).decode().data, { admitted: '3' });
  });
});
