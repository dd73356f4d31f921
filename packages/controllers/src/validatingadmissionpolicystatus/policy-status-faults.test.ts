import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ValidatingAdmissionPolicy } from '@binnacle/client/kinds/admissionregistration/v1';
import * as fc from 'fast-check';
import { faultCases, isFaultless, playHistories, Simulation } from '../testing/index.js';

const controllers = 'validatingadmissionpolicy-status-controller';
const [RIGHT, WRONG] = ['object.spec.replicas < 5', 'object.spec.replica < 5'];

const policiesOf = ({ client }: Simulation) => client.resource(ValidatingAdmissionPolicy);

const policy = (name: string, expression: string): ValidatingAdmissionPolicy => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name },
  spec: {
    matchConstraints: {
      resourceRules: [{ apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] }],
    },
    validations: [{ expression }],
  },
});

/** Whether each policy's status is that of its generation, and whether it has warnings. */
async function statuses(simulation: Simulation): Promise<Record<string, string>> {
  const { items } = await policiesOf(simulation).list();
  return Object.fromEntries(
    items.map(({ metadata: { name = '', generation }, status }) => {
      const isCurrent = status?.observedGeneration === generation;
      const warnings = status?.typeChecking?.expressionWarnings?.length ?? 0;
      return [name, `${isCurrent ? 'current' : 'stale'}, ${warnings} warnings`];
    }),
  );
}

async function setExpression(simulation: Simulation, name: string, expression: string): Promise<void> {
  await policiesOf(simulation).patch(name, { type: 'merge', body: { spec: { validations: [{ expression }] } } });
}

describe('the status of validating admission policies, of a whole server', () => {
  for (const [what, faults] of faultCases) {
    it(`follows each generation by one write, ${what}`, async () => {
      await using simulation = await Simulation.start({ controllers, faults });
      await policiesOf(simulation).create(policy('fine', RIGHT));
      await policiesOf(simulation).create(policy('wrong', WRONG));
      await simulation.settle();
      assert.deepEqual(await statuses(simulation), { fine: 'current, 0 warnings', wrong: 'current, 1 warnings' });
      await setExpression(simulation, 'wrong', RIGHT);
      await simulation.settle();
      assert.deepEqual(await statuses(simulation), { fine: 'current, 0 warnings', wrong: 'current, 0 warnings' });
      const counts = { 'patch validatingadmissionpolicies/status': 3 };
      if (isFaultless(faults)) assert.deepEqual(simulation.log.counts(), counts);
    });
  }

  it('does not give the status of a deleted policy to another one of the same name', async () => {
    await using simulation = await Simulation.start({
      controllers,
      faults: { watchDelay: 5000, restartAfterWrites: true },
    });
    await simulation.advance(1000);
    await policiesOf(simulation).create(policy('a', WRONG));
    await simulation.advance(2000);
    await policiesOf(simulation).delete('a');
    await policiesOf(simulation).create(policy('a', RIGHT));
    await simulation.settle();
    assert.deepEqual(await statuses(simulation), { a: 'current, 0 warnings' });
  });

  it('shows the errors of the newest expression, through any history', () =>
    playHistories({
      controllers,
      runs: 2,
      step: fc.record({
        act: fc.constantFrom('write', 'write', 'write', 'delete'),
        name: fc.constantFrom('a', 'b'),
        expression: fc.constantFrom(RIGHT, WRONG),
      }),
      begin: async (simulation) => {
        const expressions = new Map<string, string>();
        return {
          act: async ({ act, name, expression }) => {
            const isThere = expressions.has(name);
            if (act === 'delete') {
              if (expressions.delete(name)) await policiesOf(simulation).delete(name);
              return;
            }
            expressions.set(name, expression);
            await (isThere
              ? setExpression(simulation, name, expression)
              : policiesOf(simulation).create(policy(name, expression)));
          },
          settled: async () => {
            const expected = [...expressions].map(([name, expression]) => {
              return [name, `current, ${expression === WRONG ? 1 : 0} warnings`] as const;
            });
            assert.deepEqual(await statuses(simulation), Object.fromEntries(expected));
          },
        };
      },
    }));
});
