import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { finish } from '@binnacle/apimachinery/work';
import { readAggregated, readResourceList } from './discovered-resources.js';

const nothing = { group: '', version: '', kind: '' };

describe('what a backend says about its resources', () => {
  it('is read from an aggregated document, known fields of the right type alone', () => {
    const document = {
      kind: 'APIGroupDiscoveryList',
      items: [
        {
          metadata: { name: 'g' },
          versions: [
            {
              version: 'v1',
              resources: [
                {
                  resource: 'things',
                  responseKind: { group: 'g', version: 'v1', kind: 'Thing', more: 1 },
                  scope: 'Namespaced',
                  singularResource: 'thing',
                  verbs: ['get', 7, null],
                  shortNames: 'th',
                  categories: ['all'],
                  subresources: [{ subresource: 'status', verbs: ['get'] }, 'x'],
                  extra: {},
                },
                null,
              ],
            },
          ],
        },
        { versions: 7 },
      ],
    };
    assert.deepEqual(finish(readAggregated(document))?.get('g/v1'), [
      {
        resource: 'things',
        responseKind: { group: 'g', version: 'v1', kind: 'Thing' },
        scope: 'Namespaced',
        singularResource: 'thing',
        verbs: ['get'],
        categories: ['all'],
        subresources: [{ subresource: 'status', responseKind: nothing, verbs: ['get'] }],
      },
    ]);
  });

  it('is read from a list, with subresources below their parents', () => {
    const resources = [
      { name: 'things/status', namespaced: true, kind: 'Thing', verbs: ['get'] },
      { name: 'things', singularName: 'thing', namespaced: true, kind: 'Thing', verbs: ['list'], shortNames: ['th'] },
      { name: 'orphans/scale', group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: [] },
      { name: '__proto__', kind: 'Evil', verbs: [] },
    ];
    assert.deepEqual(finish(readResourceList({ kind: 'APIResourceList', resources }))?.slice(0, 2), [
      {
        resource: 'things',
        responseKind: { ...nothing, kind: 'Thing' },
        scope: 'Namespaced',
        singularResource: 'thing',
        verbs: ['list'],
        shortNames: ['th'],
        subresources: [{ subresource: 'status', responseKind: { ...nothing, kind: 'Thing' }, verbs: ['get'] }],
      },
      {
        resource: '__proto__',
        responseKind: { ...nothing, kind: 'Evil' },
        scope: 'Cluster',
        singularResource: '',
        verbs: [],
      },
    ]);
  });

  it('is nothing in any other document', () => {
    for (const document of [null, 7, 'x', [], {}, { kind: 'Pod' }]) {
      assert.equal(finish(readAggregated(document)), undefined);
      assert.equal(finish(readResourceList(document)), undefined);
    }
  });
});
