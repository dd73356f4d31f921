import { finishInTurns } from '@binnacle/apimachinery/turns';
import { messageOf } from '@binnacle/apimachinery/errors';
import type { LabelSelector } from '@binnacle/apimachinery/labels';
import { Controller, type ReconcileRequest } from '@binnacle/client/controller';
import type { EventRecorder } from '@binnacle/client/events';
import { HorizontalPodAutoscaler, type HorizontalPodAutoscalerStatus } from '@binnacle/client/kinds/autoscaling/v2';
import { Pod } from '@binnacle/client/kinds/core/v1';
import { isNotFound } from '@binnacle/client/rest';
import { selectObjects, type OwnerContext, reconcileOwner } from '../common/index.js';
import type { CreateLoop, LoopContext } from '../loop/index.js';
import { AutoscalerMemory } from './autoscaler-memory.js';
import { decideSize } from './decide-size.js';
import { MetricsApi } from './metrics-api.js';
import { rescale, findTarget, type ScaleTarget } from './scale-target.js';
import { rememberScale } from './behavior.js';
import { type AutoscalerSettings, settingsOf } from './settings.js';
import { StatusDraft } from './status-draft.js';

/** Upstream: `--concurrent-horizontal-pod-autoscaler-syncs`. */
const CONCURRENCY = 5;

interface Tools extends OwnerContext, Pick<LoopContext, 'discovery' | 'random'> {
  readonly recorder: EventRecorder;
  readonly api: MetricsApi;
  readonly memory: AutoscalerMemory;
  readonly settings: AutoscalerSettings;
}

/** Upstream: kubernetes `pkg/controller/podautoscaler`. */
export const createAutoscalerLoop: CreateLoop = (context) => {
  const { informers, events, discovery, transport, random } = context;
  const recorder = events.recorder({ component: 'horizontal-pod-autoscaler' });
  const api = new MetricsApi(transport, discovery);
  const memory = new AutoscalerMemory();
  const settings = settingsOf(context.settings);
  const requeueAfter = settings.syncPeriod;
  const gone = (request: ReconcileRequest) => memory.forget(request);
  const reconcile = reconcileOwner(
    { resource: HorizontalPodAutoscaler, writes: [], informers, gone },
    async (hpa, owner) => {
      await autoscale(hpa, { ...owner, discovery, random, recorder, api, memory, settings });
      return { requeueAfter };
    },
  );
  return new Controller({
    name: 'horizontalpodautoscaler',
    watches: [
      {
        resource: HorizontalPodAutoscaler,
        map: (hpa: HorizontalPodAutoscaler) => [memory.register(hpa)],
        // A change waits for the next round, as all autoscalers look at their metrics once in a period.
        delay: settings.syncPeriod,
      },
    ],
    reads: [Pod],
    concurrency: CONCURRENCY,
    reconcile,
  }).bind(context);
};

async function autoscale(hpa: HorizontalPodAutoscaler, tools: Tools): Promise<void> {
  const { recorder, clock, memory, settings, signal, api } = tools;
  const now = clock.now();
  const status = new StatusDraft(hpa, now);
  const target = await findTarget(hpa, tools);
  if ('failure' in target) {
    recorder.event(hpa, 'Warning', 'FailedGetScale', target.failure);
    const message = `the HPA controller was unable to get the target's current scale: ${target.failure}`;
    status.set('AbleToScale', false, 'FailedGetScale', message);
    return writeStatus(hpa, status.unchanged(), tools);
  }
  const able = "the HPA controller was able to get the target's current scale";
  status.set('AbleToScale', true, 'SucceededGetScale', able);
  const current = target.scale.spec?.replicas ?? 0;
  const history = memory.historyOf(hpa);
  history.begin(current, now);
  const selected = (selector: LabelSelector) => selectedPods(hpa, selector, tools);
  const decided = await decideSize(
    { hpa, scale: target.scale, status, history, selected, settings, now },
    { api, recorder, signal },
  );
  if ('failure' in decided) {
    await writeStatus(hpa, status.finished(current, decided.metrics), tools);
    recorder.event(hpa, 'Warning', 'FailedComputeMetricsReplicas', decided.failure);
    return;
  }
  const { desired, reason, metrics } = decided;
  const isRescaled = desired !== undefined;
  if (desired !== undefined && !(await resize(hpa, target, desired, reason, status, tools))) {
    return writeStatus(hpa, status.finished(current, metrics), tools);
  }
  if (desired !== undefined) rememberScale({ behavior: hpa.spec.behavior, history, now }, current, desired);
  await writeStatus(hpa, status.finished(current, metrics, { desired: desired ?? current, isRescaled }), tools);
}

/** Resolves to whether the target has the new size. */
async function resize(
  hpa: HorizontalPodAutoscaler,
  target: ScaleTarget,
  desired: number,
  reason: string,
  status: StatusDraft,
  tools: Tools,
): Promise<boolean> {
  const { recorder } = tools;
  const failure = await rescale(target, desired, tools);
  if (failure !== undefined) {
    recorder.event(hpa, 'Warning', 'FailedRescale', `New size: ${desired}; reason: ${reason}; error: ${failure}`);
    const message = `the HPA controller was unable to update the target scale: ${failure}`;
    status.set('AbleToScale', false, 'FailedUpdateScale', message);
    return false;
  }
  const message = `the HPA controller was able to update the target scale to ${desired}`;
  status.set('AbleToScale', true, 'SucceededRescale', message);
  recorder.event(hpa, 'Normal', 'SuccessfulRescale', `New size: ${desired}; reason: ${reason}`);
  status.remove('ScaledToZero');
  return true;
}

async function selectedPods({ metadata }: HorizontalPodAutoscaler, selector: LabelSelector, { lister, memory }: Tools) {
  const { namespace = '', name = '' } = metadata;
  const pods = await finishInTurns(selectObjects(lister(Pod).namespace(namespace).list(), selector));
  return { pods, autoscalers: memory.select({ namespace, name }, selector, pods) };
}

/** The next round writes again what fails now. */
async function writeStatus(
  hpa: HorizontalPodAutoscaler,
  status: HorizontalPodAutoscalerStatus,
  { writer, recorder, signal }: Tools,
): Promise<void> {
  try {
    await writer.changeStatus(HorizontalPodAutoscaler, hpa, status);
  } catch (error) {
    if (signal.aborted) throw error;
    if (!isNotFound(error)) recorder.event(hpa, 'Warning', 'FailedUpdateStatus', messageOf(error));
  }
}
