import {
  type Component,
  Controller,
  isControlledBy,
  type ReconcileContext,
  withControllerReference,
} from '@binnacle/client';
import { Deployment } from '@binnacle/client/kinds/apps/v1';
import { FooV1alpha1 as Foo } from './generated/foos.js';

/** Ensures that every Foo has its Deployment. */
export function sampleController(): Component {
  return new Controller({
    name: 'sample-controller',
    for: Foo,
    // A change of a Deployment reconciles the Foo that controls it.
    owns: [Deployment],

    async reconcile({ namespace = '', name }, context) {
      // The cache holds all Foos and is updated by a watch, so reading it sends no request.
      const foo = context.lister(Foo).namespace(namespace).get(name);
      // The Foo was deleted. The garbage collector deletes its Deployment.
      if (foo === undefined) return;

      const deployment = await ensureDeployment(foo, context);
      await reportStatus(foo, deployment, context);
      // kubectl describe shows this event.
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
    const message = `Deployment ${deploymentName} already exists and is not controlled by this Foo`;
    recorder.event(foo, 'Warning', 'ErrResourceExists', message);
    // The controller reports the error and retries with backoff.
    throw new Error(message);
  }
  if (replicas === undefined || replicas === deployment.spec?.replicas) return deployment;
  return deployments.patch(deploymentName, { type: 'merge', body: { spec: { replicas } } }, { signal });
}

async function reportStatus(foo: Foo, deployment: Deployment, { client, signal }: ReconcileContext): Promise<void> {
  const availableReplicas = deployment.status?.availableReplicas ?? 0;
  if (foo.status?.availableReplicas === availableReplicas) return;
  // The cache may be stale, so patch only this field.
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
