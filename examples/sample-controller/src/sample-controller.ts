import {
  type Component,
  Controller,
  isControlledBy,
  type ReconcileContext,
  withControllerReference,
} from '@binnacle/client';
import { Deployment } from '@binnacle/client/kinds/apps/v1';
import { FooV1alpha1 as Foo } from './generated/foos.js';

/** Keeps a Deployment for every Foo. */
export function sampleController(): Component {
  return new Controller({
    name: 'sample-controller',
    for: Foo,
    // A change of a Deployment wakes the Foo that controls it.
    owns: [Deployment],

    async reconcile({ namespace = '', name }, context) {
      // The cache holds all Foos, kept current by a watch: to read it costs no request.
      const foo = context.lister(Foo).namespace(namespace).get(name);
      // It was deleted. The garbage collector deletes what it controlled.
      if (foo === undefined) return;

      const deployment = await ensureDeployment(foo, context);
      await reportStatus(foo, deployment, context);
      // An event, for those who look at the Foo: kubectl describe shows it.
      context.recorder.event(foo, 'Normal', 'Synced', 'Foo synced successfully');
    },
  });
}

async function ensureDeployment(foo: Foo, { client, lister, recorder, signal }: ReconcileContext): Promise<Deployment> {
  const { namespace = '' } = foo.metadata;
  const { deploymentName, replicas } = foo.spec;
  const deployments = client.resource(Deployment).namespace(namespace);
  const deployment = lister(Deployment).namespace(namespace).get(deploymentName);
  if (deployment === undefined) return deployments.create(deploymentFor(foo), { signal });

  if (!isControlledBy(deployment, foo)) {
    const message = `Deployment ${deploymentName} is there already, and this Foo does not control it`;
    recorder.event(foo, 'Warning', 'ErrResourceExists', message);
    // What is thrown is reported, and the Foo is looked at again: soon first, later and later then.
    throw new Error(message);
  }
  if (replicas === undefined || replicas === deployment.spec?.replicas) return deployment;
  return deployments.patch(deploymentName, { type: 'merge', body: { spec: { replicas } } }, { signal });
}

async function reportStatus(foo: Foo, deployment: Deployment, { client, signal }: ReconcileContext): Promise<void> {
  const availableReplicas = deployment.status?.availableReplicas ?? 0;
  if (foo.status?.availableReplicas === availableReplicas) return;
  // The cache may be behind, so only this field is written, whatever else has changed meanwhile.
  const { namespace = '', name = '' } = foo.metadata;
  const foos = client.resource(Foo).namespace(namespace);
  await foos.status.patch(name, { type: 'merge', body: { status: { availableReplicas } } }, { signal });
}

function deploymentFor(foo: Foo): Deployment {
  const { name = '', namespace = '' } = foo.metadata;
  const { deploymentName, replicas } = foo.spec;
  const labels = { app: 'nginx', controller: name };
  const deployment: Deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: deploymentName, namespace },
    spec: {
      ...(replicas === undefined ? {} : { replicas }),
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'nginx', image: 'nginx:latest' }] } },
    },
  };
  return withControllerReference(deployment, foo);
}
