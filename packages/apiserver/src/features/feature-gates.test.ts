import assert from 'node:assert/strict';
import { it } from 'node:test';
import { FeatureGateError, resolveFeatureGates } from './index.js';

const CBOR = 'CBORServingAndStorage';

it('a gate is as its default is, as its stage is told to be, or as it is told itself', () => {
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

it('what is no gate, or no switch, is refused in upstream words', () => {
  const cases = [
    ['Nonsense=true', 'unrecognized feature gate: Nonsense'],
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
