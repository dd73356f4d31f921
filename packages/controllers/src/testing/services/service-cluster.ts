import { Endpoints, Pod, Service } from '@binnacle/client/kinds/core/v1';
import { EndpointSlice } from '@binnacle/client/kinds/discovery/v1';
import { Simulation, type SimulationOptions } from '../simulation/index.js';

const NODE = 'node-a';

const ports = [{ port: 80, targetPort: 8080 }];

/** A simulation with one node, in which the test makes services, pods and Endpoints in the namespace `default`. */
export class ServiceCluster implements AsyncDisposable {
  readonly simulation: Simulation;

  private constructor(simulation: Simulation) {
    this.simulation = simulation;
  }

  static async start({ controllers, ...options }: SimulationOptions): Promise<ServiceCluster> {
    const { faults = {}, ...others } = options;
    const all = `serviceaccount-controller,${controllers}`;
    const simulation = await Simulation.start({ ...others, controllers: all });
    await simulation.advance(1000);
    await simulation.nodes.create(NODE);
    await simulation.settle();
    simulation.log.clear();
    simulation.faults = faults;
    return new ServiceCluster(simulation);
  }

  get services() {
    return this.simulation.client.resource(Service).namespace('default');
  }

  get pods() {
    return this.simulation.client.resource(Pod).namespace('default');
  }

  get endpoints() {
    return this.simulation.client.resource(Endpoints).namespace('default');
  }

  get slices() {
    return this.simulation.client.resource(EndpointSlice).namespace('default');
  }

  async createService(name: string, spec: Service['spec'] = { selector: { app: name } }): Promise<void> {
    await this.services.create({ apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { ports, ...spec } });
  }

  /** A pod on the node, with an address. */
  async createPod(name: string, app: string, ip: string, ready = true): Promise<void> {
    const containers = [{ name: 'c', image: 'i' }];
    await this.pods.create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, labels: { app } },
      spec: { nodeName: NODE, serviceAccountName: 'default', automountServiceAccountToken: false, containers },
    });
    await this.setReady(name, ready, { phase: 'Running', podIP: ip, podIPs: [{ ip }] });
  }

  async setReady(name: string, ready: boolean, status: object = {}): Promise<void> {
    const lastTransitionTime = new Date(this.simulation.clock.now()).toISOString().replace(/\.\d+/, '');
    const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime }];
    await this.pods.status.patch(name, { type: 'strategic', body: { status: { ...status, conditions } } });
  }

  async deletePod(name: string): Promise<void> {
    await this.pods.delete(name, { gracePeriodSeconds: 0 });
  }

  /** The slices of a service as texts: `10.9.0.1 10.9.0.2-`, where `-` is not ready. */
  async slicesOf(service: string): Promise<readonly string[]> {
    const { items } = await this.slices.list({ labelSelector: `kubernetes.io/service-name=${service}` });
    return items.map(({ endpoints }) =>
      (endpoints ?? [])
        .map(({ addresses, conditions }) => `${addresses.join()}${conditions?.ready === true ? '' : '-'}`)
        .sort()
        .join(' '),
    );
  }

  /** The addresses of Endpoints, as {@link slicesOf}; undefined without any Endpoints. */
  async endpointsOf(service: string): Promise<string | undefined> {
    const { items } = await this.endpoints.list();
    const found = items.find(({ metadata }) => metadata.name === service);
    const texts = found?.subsets?.flatMap(({ addresses = [], notReadyAddresses = [] }) => [
      ...addresses.map(({ ip }) => ip),
      ...notReadyAddresses.map(({ ip }) => `${ip}-`),
    ]);
    return found === undefined ? undefined : (texts ?? []).sort().join(' ');
  }

  /** Lets time pass until nothing writes, then an hour, and returns the writes of that hour. */
  async writesOnceSettled(): Promise<Record<string, number>> {
    const { simulation } = this;
    await simulation.settle();
    simulation.log.clear();
    await simulation.advance(3_600_000);
    return simulation.log.counts();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.simulation.stop();
  }
}
