import { counterFacts, gaugeFacts, histogramFacts } from '@binnacle/apimachinery/metrics';

const stored = ['group', 'resource'] as const;
const call = ['operation', 'group', 'resource'] as const;

/**
 * Metrics of the store and of its caches. Metrics with "etcd" in the name describe whichever store is configured.
 * Upstream: apiserver `pkg/storage/etcd3/metrics`, `pkg/storage/cacher/metrics`, release 1.36.
 */
export const storageFacts = {
  callDuration: histogramFacts(
    'etcd_request_duration_seconds',
    'ALPHA',
    call,
    [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60],
    'How long calls of the store took, in seconds, by operation and resource.',
  ),
  calls: counterFacts('etcd_requests_total', 'ALPHA', call, 'Calls of the store, by operation and resource.'),
  callErrors: counterFacts(
    'etcd_request_errors_total',
    'ALPHA',
    call,
    'Calls of the store that failed, by operation and resource.',
  ),
  storedLists: counterFacts('apiserver_storage_list_total', 'ALPHA', stored, 'Lists answered out of the store.'),
  storedListFetched: counterFacts(
    'apiserver_storage_list_fetched_objects_total',
    'ALPHA',
    stored,
    'Objects read from the store for lists.',
  ),
  storedListEvaluated: counterFacts(
    'apiserver_storage_list_evaluated_objects_total',
    'ALPHA',
    stored,
    'Objects from the store that a selector was held against for lists.',
  ),
  storedListReturned: counterFacts(
    'apiserver_storage_list_returned_objects_total',
    'ALPHA',
    stored,
    'Objects in lists that were answered out of the store.',
  ),
  received: counterFacts(
    'apiserver_storage_events_received_total',
    'BETA',
    stored,
    'Events that the store has sent to the caches.',
  ),
  objects: gaugeFacts(
    'apiserver_resource_objects',
    'ALPHA',
    stored,
    'Objects in the store; -1 when it could not be asked.',
  ),
  objectsByName: {
    ...gaugeFacts(
      'apiserver_storage_objects',
      'STABLE',
      ['resource'],
      'Objects in the store; -1 when it could not be asked. Use apiserver_resource_objects.',
    ),
    deprecatedSince: '1.34.0',
  },
  size: gaugeFacts(
    'apiserver_storage_size_bytes',
    'STABLE',
    ['storage_cluster_id'],
    'What the store takes on disk (or in memory), in bytes.',
  ),
  cachedLists: counterFacts(
    'apiserver_cache_list_total',
    'ALPHA',
    [...stored, 'index'],
    'Lists answered out of the cache, by the index that was used.',
  ),
  cachedListFetched: counterFacts(
    'apiserver_cache_list_fetched_objects_total',
    'ALPHA',
    [...stored, 'index'],
    'Objects read from the cache for lists, by the index that was used.',
  ),
  cachedListReturned: counterFacts(
    'apiserver_cache_list_returned_objects_total',
    'ALPHA',
    stored,
    'Objects in lists that were answered out of the cache.',
  ),
  initialEvents: counterFacts('apiserver_init_events_total', 'ALPHA', stored, 'Objects that watches began with.'),
  cacheReceived: counterFacts(
    'apiserver_watch_cache_events_received_total',
    'ALPHA',
    stored,
    'Events that the cache has received from the store.',
  ),
  dispatched: counterFacts(
    'apiserver_watch_cache_events_dispatched_total',
    'ALPHA',
    stored,
    'Events that the cache has offered to its watchers.',
  ),
  terminatedWatchers: counterFacts(
    'apiserver_terminated_watchers_total',
    'ALPHA',
    stored,
    'Watchers that were ended because they did not read what waited for them.',
  ),
  initializations: counterFacts(
    'apiserver_watch_cache_initializations_total',
    'ALPHA',
    stored,
    'How often the cache was built: once, and once more each time that it had lost the store.',
  ),
  cacheRevision: gaugeFacts(
    'apiserver_watch_cache_resource_version',
    'ALPHA',
    stored,
    'The resource version that the cache is the state of, its 15 last digits.',
  ),
  capacity: gaugeFacts(
    'watch_cache_capacity',
    'ALPHA',
    stored,
    'How many recent changes the cache keeps at most for watches to begin with.',
  ),
  readWait: histogramFacts(
    'apiserver_watch_cache_read_wait_seconds',
    'ALPHA',
    stored,
    [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3],
    'How long reads waited for the cache to be fresh, in seconds.',
  ),
};
