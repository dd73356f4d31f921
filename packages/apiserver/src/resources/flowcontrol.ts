import type { FlowSchema, PriorityLevelConfiguration } from '@binnacle/api/types/flowcontrol-v1';
import {
  validateFlowSchema,
  validateFlowSchemaStatusUpdate,
  validateFlowSchemaUpdate,
  validatePriorityLevelConfiguration,
  validatePriorityLevelConfigurationStatusUpdate,
  validatePriorityLevelConfigurationUpdate,
} from '@binnacle/api/validation';
import type { Strategy } from '../registry/index.js';
import { kind, spec } from './kind.js';
import { statusStrategy } from './status.js';

/** Upstream: `pkg/registry/flowcontrol`. */
export const flowSchemaStrategy: Strategy = kind<FlowSchema>({
  status: true,
  desired: spec,
  validate: validateFlowSchema,
  validateUpdate: validateFlowSchemaUpdate,
});

export const flowSchemaStatusStrategy: Strategy = statusStrategy<FlowSchema>({
  keeps: 'allMetadata',
  validateUpdate: validateFlowSchemaStatusUpdate,
});

export const priorityLevelConfigurationStrategy: Strategy = kind<PriorityLevelConfiguration>({
  status: true,
  desired: spec,
  validate: validatePriorityLevelConfiguration,
  validateUpdate: validatePriorityLevelConfigurationUpdate,
});

export const priorityLevelConfigurationStatusStrategy: Strategy = statusStrategy<PriorityLevelConfiguration>({
  keeps: 'allMetadata',
  validateUpdate: validatePriorityLevelConfigurationStatusUpdate,
});
