import assert from 'node:assert/strict';
import { it } from 'node:test';
import { FeatureGateError, featureStates, resolveFeatureGates } from './index.js';

const CBOR = 'CBORServingAndStorage';

it('a gate follows its own setting, then that of its stage, then its default', () => {
  const cases: readonly (readonly [string | undefined, boolean])[] = [
    [undefined, false],
    ['', false],
    [`${CBOR}=true`, true],
    [` ${CBOR} = T ,`, true],
    [`${CBOR}=true,${CBOR}=false`, false],
    ['AllAlpha=true', true],
    ['AllBeta=true', false],
    [`${CBOR}=false,AllAlpha=true`, false],
  ];
  for (const [text, isOn] of cases) assert.equal(resolveFeatureGates(text).has(CBOR), isOn, text);
});

it('a locked gate may have its value', () => {
  assert.deepEqual(
    resolveFeatureGates('ConsistentListFromCache=true,SeparateCacheWatchRPC=false,AllBeta=false'),
    new Set(),
  );
});

it('all known gates have a stage', () => {
  const states = new Map(
    featureStates(resolveFeatureGates('AllAlpha=true')).map(([name, stage, isOn]) => [name, [stage, isOn]]),
  );
  assert.deepEqual(states.get(CBOR), ['ALPHA', true]);
  assert.deepEqual(states.get('ComponentFlagz'), ['BETA', true]);
  assert.deepEqual(states.get('ConsistentListFromCache'), ['', true]);
  assert.deepEqual(states.get('SeparateCacheWatchRPC'), ['DEPRECATED', false]);
});

it("unknown gates and invalid values are refused in upstream's words", () => {
  const cases = [
    ['Nonsense=true', 'unrecognized feature gate: Nonsense'],
    ['CborServing=true', 'unrecognized feature gate: CborServing (did you mean CBORServingAndStorage?)'],
    ['ComponentStatus=true', 'unrecognized feature gate: ComponentStatus (did you mean ComponentStatusz?)'],
    [
      'ConsistentListFromCache=false',
      'cannot set feature gate ConsistentListFromCache to false, feature is locked to true',
    ],
    [CBOR, `missing bool value for ${CBOR}`],
    [`${CBOR}=yes`, `invalid value of ${CBOR}=yes, err: strconv.ParseBool: parsing "yes": invalid syntax`],
  ] as const;
  for (const [text, message] of cases) {
    assert.throws(
      () => resolveFeatureGates(text),
      (error) => error instanceof FeatureGateError && error.message === message,
    );
  }
});
