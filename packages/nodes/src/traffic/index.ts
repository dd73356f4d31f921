export { Balancer, type BalancerParts } from './balancer.js';
export { type TrafficNode, trafficPlan } from './traffic-plan.js';
