import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { NodeSelectorTerm, Pod, PodSpec } from '../../generated/types/core-v1.js';
import { podSpec, texts } from '../rules.testing.js';
import { validatePodUpdate } from './update.js';

const gates: PodSpec['schedulingGates'] = [{ name: 'a.b/c' }];
const inA = { key: 'tenant', operator: 'In', values: ['a'] };
const exists = { key: 'disk', operator: 'Exists' };
const named = { key: 'metadata.name', operator: 'In', values: ['n1'] };
const PLACE = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';

function affine(
  terms: readonly NodeSelectorTerm[] | undefined,
  more: Partial<PodSpec> = { schedulingGates: gates },
): Pod {
  const required = terms && { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [...terms] } };
  return {
    metadata: { name: 'x', namespace: 'n', uid: 'u', resourceVersion: '1' },
    spec: podSpec({ ...more, ...(required && { affinity: { nodeAffinity: required } }) }),
  };
}

const update = (terms: readonly NodeSelectorTerm[] | undefined, old: readonly NodeSelectorTerm[] | undefined) =>
  texts(validatePodUpdate(affine(terms), affine(old)));

describe('the required node affinity of a gated pod', () => {
  const old = [{ matchExpressions: [inA] }];

  it('may be set, and expressions may be added to its terms', () => {
    assert.deepEqual(update(old, undefined), []);
    assert.deepEqual(update(old, []), []);
    assert.deepEqual(update([{ matchExpressions: [inA, exists] }], old), []);
    assert.deepEqual(update([{ matchExpressions: [inA], matchFields: [named] }], old), []);
  });

  it('may be neither removed nor given more terms', () => {
    const detail = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed';
    assert.deepEqual(update(undefined, old), [`${PLACE}: Invalid value: null: ${detail}`]);
    const shown =
      '[{"MatchExpressions":[{"Key":"tenant","Operator":"In","Values":["a"]}],"MatchFields":null},{"MatchExpressions":[{"Key":"disk","Operator":"Exists","Values":null}],"MatchFields":null}]';
    assert.deepEqual(update([...old, { matchExpressions: [exists] }], old), [
      `${PLACE}: Invalid value: ${shown}: ${detail}`,
    ]);
  });

  it('loses and changes no expression', () => {
    const refused = (expressions: string) => [
      `${PLACE}[0]: Invalid value: {"MatchExpressions":${expressions},"MatchFields":null}: only additions are allowed (no mutations or deletions)`,
    ];
    const inB = '[{"Key":"tenant","Operator":"In","Values":["b"]}]';
    assert.deepEqual(update([{ matchExpressions: [{ ...inA, values: ['b'] }] }], old), refused(inB));
    const first = '[{"Key":"disk","Operator":"Exists","Values":null},{"Key":"tenant","Operator":"In","Values":["a"]}]';
    assert.deepEqual(update([{ matchExpressions: [exists, inA] }], old), refused(first));
    assert.match(update([{}], old).join(), /only additions are allowed/);
    assert.match(update(old, [{}]).join(), /only additions are allowed/);
  });

  it('is fixed once the pod has no gate', () => {
    const free = (terms: readonly NodeSelectorTerm[]) => affine(terms, {});
    assert.match(
      texts(validatePodUpdate(free([{ matchExpressions: [inA, exists] }]), free(old))).join(),
      /^spec: Forbidden: pod updates may not change fields other than/,
    );
  });
});

it('the node selector of a gated pod may only grow', () => {
  const selecting = (nodeSelector: PodSpec['nodeSelector']) =>
    affine(undefined, { schedulingGates: gates, nodeSelector });
  assert.deepEqual(texts(validatePodUpdate(selecting({ a: '1', b: '2' }), selecting({ a: '1' }))), []);
  assert.match(texts(validatePodUpdate(selecting({ a: '2' }), selecting({ a: '1' }))).join(), /only additions/);
});
