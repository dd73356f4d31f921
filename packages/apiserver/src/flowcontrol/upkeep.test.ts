import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { AUTO_UPDATE } from './bootstrap-objects.js';
import { keptObjects, obsolete, revise } from './upkeep.js';

function keptNamed(name: string, kind: string) {
  const found = keptObjects.find(({ object }) => object.metadata.name === name && object.kind === kind);
  assert.ok(found);
  return found;
}

const LEVEL = keptNamed('workload-low', 'PriorityLevelConfiguration');
const EXEMPT_LEVEL = keptNamed('exempt', 'PriorityLevelConfiguration');
const SCHEMA = keptNamed('probes', 'FlowSchema');

interface Stored {
  readonly annotation?: string | undefined;
  readonly generation?: number;
  readonly spec?: object;
}

/** The object that `revise` makes of a stored one, which users may have changed. */
function revised(kept: typeof LEVEL, { annotation, generation = 1, spec = kept.object.spec }: Stored) {
  const { apiVersion, kind, metadata } = kept.object;
  const annotations = annotation === undefined ? {} : { annotations: { [AUTO_UPDATE]: annotation } };
  const object: KubernetesObject = {
    apiVersion,
    kind,
    metadata: { name: metadata.name ?? '', generation, ...annotations },
    spec,
  };
  revise(object, kept);
  return { spec: object['spec'], annotation: object.metadata.annotations?.[AUTO_UPDATE] };
}

const edited = { type: 'Limited', limited: { nominalConcurrencyShares: 77 } };

// Upstream: `TestSuggestedFlowSchemaEnsurer`, `TestMandatoryFlowSchemaEnsurer`, `Test...AutoUpdateAnnotation...`.
describe('revise: a suggested object', () => {
  const own = LEVEL.object.spec;
  const cases: readonly (readonly [string, Stored, unknown, string])[] = [
    ['that is as it should be', { annotation: 'true' }, own, 'true'],
    ['that was edited', { annotation: 'true', generation: 2, spec: edited }, own, 'true'],
    ['that a user has taken over', { annotation: 'false', generation: 2, spec: edited }, edited, 'false'],
    ['without annotation, never edited', { spec: edited }, own, 'true'],
    ['without annotation, edited', { generation: 2, spec: edited }, edited, 'false'],
    ['with a malformed annotation, edited', { annotation: 'maybe', generation: 2, spec: edited }, edited, 'false'],
    ['with another spelling', { annotation: 'T' }, own, 'T'],
  ];
  for (const [title, stored, spec, annotation] of cases) {
    it(title, () => assert.deepEqual(revised(LEVEL, stored), { spec, annotation }));
  }
});

describe('revise: a mandatory object', () => {
  const own = EXEMPT_LEVEL.object.spec;

  it('cannot be taken over', () => {
    const { spec, annotation } = revised(keptNamed('catch-all', 'FlowSchema'), { annotation: 'false', spec: {} });
    assert.deepEqual([spec, annotation], [keptNamed('catch-all', 'FlowSchema').object.spec, 'true']);
  });

  it('keeps the shares that users have given the exempt level', () => {
    const shared = { type: 'Exempt', exempt: { nominalConcurrencyShares: 9, lendablePercent: 50 } };
    assert.deepEqual(revised(EXEMPT_LEVEL, { annotation: 'true', spec: shared }).spec, shared);
    assert.deepEqual(revised(EXEMPT_LEVEL, { annotation: 'true', spec: edited }).spec, own);
  });
});

describe('obsolete', () => {
  it('finds the objects that the server kept, by their annotation, and no longer knows', () => {
    const stored = (name: string, annotation?: string): KubernetesObject => ({
      apiVersion: '',
      kind: 'FlowSchema',
      metadata: { name, ...(annotation === undefined ? {} : { annotations: { [AUTO_UPDATE]: annotation } }) },
    });
    const objects = [
      stored('old', 'true'),
      stored('own'),
      stored('taken', 'false'),
      stored('odd', 'yes'),
      SCHEMA.object,
      // The name of a level is not that of a schema.
      stored('workload-low', 'true'),
    ];
    assert.deepEqual(
      obsolete(objects).map(({ metadata }) => metadata.name),
      ['old', 'workload-low'],
    );
  });
});
