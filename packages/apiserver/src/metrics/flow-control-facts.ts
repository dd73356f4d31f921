import { counterFacts, gaugeFacts, histogramFacts } from '@binnacle/apimachinery/metrics';

const flow = ['priority_level', 'flow_schema'] as const;
const level = ['priority_level'] as const;
const durations = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];

/** Upstream: apiserver `pkg/util/flowcontrol/metrics`, release 1.36. */
export const flowControlFacts = {
  rejected: counterFacts(
    'apiserver_flowcontrol_rejected_requests_total',
    'BETA',
    [...flow, 'reason'],
    'Number of requests rejected by API Priority and Fairness subsystem',
  ),
  dispatched: counterFacts(
    'apiserver_flowcontrol_dispatched_requests_total',
    'BETA',
    flow,
    'Number of requests executed by API Priority and Fairness subsystem',
  ),
  noAccommodation: counterFacts(
    'apiserver_flowcontrol_request_dispatch_no_accommodation_total',
    'ALPHA',
    flow,
    'Number of times a dispatch attempt resulted in a non accommodation due to lack of available seats',
  ),
  waitingRequests: gaugeFacts(
    'apiserver_flowcontrol_current_inqueue_requests',
    'BETA',
    flow,
    'Number of requests currently pending in queues of the API Priority and Fairness subsystem',
  ),
  waitingSeats: gaugeFacts(
    'apiserver_flowcontrol_current_inqueue_seats',
    'ALPHA',
    flow,
    'Number of seats currently pending in queues of the API Priority and Fairness subsystem',
  ),
  executingRequests: gaugeFacts(
    'apiserver_flowcontrol_current_executing_requests',
    'BETA',
    flow,
    'Number of requests in initial (for a WATCH) or any (for a non-WATCH) execution stage in the API Priority and Fairness subsystem',
  ),
  executingSeats: gaugeFacts(
    'apiserver_flowcontrol_current_executing_seats',
    'BETA',
    flow,
    'Concurrency (number of seats) occupied by the currently executing (initial stage for a WATCH, any stage otherwise) requests in the API Priority and Fairness subsystem',
  ),
  queueLength: histogramFacts(
    'apiserver_flowcontrol_request_queue_length_after_enqueue',
    'ALPHA',
    flow,
    [0, 10, 25, 50, 100, 250, 500, 1000],
    'Length of queue in the API Priority and Fairness subsystem, as seen by each request after it is enqueued',
  ),
  waitDuration: histogramFacts(
    'apiserver_flowcontrol_request_wait_duration_seconds',
    'BETA',
    [...flow, 'execute'],
    durations,
    'Length of time a request spent waiting in its queue',
  ),
  executionDuration: histogramFacts(
    'apiserver_flowcontrol_request_execution_seconds',
    'ALPHA',
    [...flow, 'type'],
    durations,
    'Duration of initial stage (for a WATCH) or any (for a non-WATCH) stage of request execution in the API Priority and Fairness subsystem',
  ),
  watchCount: histogramFacts(
    'apiserver_flowcontrol_watch_count_samples',
    'ALPHA',
    flow,
    [0, 1, 10, 100, 1000, 10000],
    'count of watchers for mutating requests in API Priority and Fairness',
  ),
  estimatedSeats: histogramFacts(
    'apiserver_flowcontrol_work_estimated_seats',
    'ALPHA',
    flow,
    [1, 2, 4, 8, 16, 32, 64, 100],
    'Number of estimated seats (maximum of initial and final seats) associated with requests in API Priority and Fairness',
  ),
  seatUtilization: histogramFacts(
    'apiserver_flowcontrol_priority_level_seat_utilization',
    'ALPHA',
    ['phase', ...level],
    [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1],
    'Observations, at the end of every nanosecond, of utilization of seats for any stage of execution (but only initial stage for WATCHes)',
  ),
  requestUtilization: histogramFacts(
    'apiserver_flowcontrol_priority_level_request_utilization',
    'ALPHA',
    ['phase', ...level],
    [0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 1],
    'Observations, at the end of every nanosecond, of number of requests (as a fraction of the relevant limit) waiting or in any stage of execution (but only initial stage for WATCHes)',
  ),
  readsAndWrites: histogramFacts(
    'apiserver_flowcontrol_read_vs_write_current_requests',
    'ALPHA',
    ['phase', 'request_kind'],
    [0, 0.001, 0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1],
    'Observations, at the end of every nanosecond, of the number of requests (as a fraction of the relevant limit) waiting or in regular stage of execution',
  ),
  demand: histogramFacts(
    'apiserver_flowcontrol_demand_seats',
    'ALPHA',
    level,
    [0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.7, 2, 2.8, 4, 6],
    'Observations, at the end of every nanosecond, of (the number of seats each priority level could use) / (nominal number of seats for that level)',
  ),
  currentR: gaugeFacts('apiserver_flowcontrol_current_r', 'ALPHA', level, 'R(time of last change)'),
  dispatchR: gaugeFacts('apiserver_flowcontrol_dispatch_r', 'ALPHA', level, 'R(time of last dispatch)'),
  latestS: gaugeFacts('apiserver_flowcontrol_latest_s', 'ALPHA', level, 'S(most recently dispatched request)'),
  nextStarts: gaugeFacts(
    'apiserver_flowcontrol_next_s_bounds',
    'ALPHA',
    [...level, 'bound'],
    'min and max, over queues, of S(oldest waiting request in queue)',
  ),
  nextDiscountedStarts: gaugeFacts(
    'apiserver_flowcontrol_next_discounted_s_bounds',
    'ALPHA',
    [...level, 'bound'],
    'min and max, over queues, of S(oldest waiting request in queue) - estimated work in progress',
  ),
  nominalLimit: gaugeFacts(
    'apiserver_flowcontrol_nominal_limit_seats',
    'BETA',
    level,
    'Nominal number of execution seats configured for each priority level',
  ),
  lowerLimit: gaugeFacts(
    'apiserver_flowcontrol_lower_limit_seats',
    'ALPHA',
    level,
    'Configured lower bound on number of execution seats available to each priority level',
  ),
  upperLimit: gaugeFacts(
    'apiserver_flowcontrol_upper_limit_seats',
    'ALPHA',
    level,
    'Configured upper bound on number of execution seats available to each priority level',
  ),
  currentLimit: gaugeFacts(
    'apiserver_flowcontrol_current_limit_seats',
    'ALPHA',
    level,
    'current derived number of execution seats available to each priority level',
  ),
  demandHighest: gaugeFacts(
    'apiserver_flowcontrol_demand_seats_high_watermark',
    'ALPHA',
    level,
    'High watermark, over last adjustment period, of demand_seats',
  ),
  demandAverage: gaugeFacts(
    'apiserver_flowcontrol_demand_seats_average',
    'ALPHA',
    level,
    'Time-weighted average, over last adjustment period, of demand_seats',
  ),
  demandDeviation: gaugeFacts(
    'apiserver_flowcontrol_demand_seats_stdev',
    'ALPHA',
    level,
    'Time-weighted standard deviation, over last adjustment period, of demand_seats',
  ),
  demandSmoothed: gaugeFacts('apiserver_flowcontrol_demand_seats_smoothed', 'ALPHA', level, 'Smoothed seat demands'),
  target: gaugeFacts('apiserver_flowcontrol_target_seats', 'ALPHA', level, 'Seat allocation targets'),
  fairFraction: gaugeFacts(
    'apiserver_flowcontrol_seat_fair_frac',
    'ALPHA',
    [],
    "Fair fraction of server's concurrency to allocate to each priority level that can use it",
  ),
};
