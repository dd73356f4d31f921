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
    'Etcd request latency in seconds for each operation and object type.',
  ),
  calls: counterFacts('etcd_requests_total', 'ALPHA', call, 'Etcd request counts for each operation and object type.'),
  callErrors: counterFacts(
    'etcd_request_errors_total',
    'ALPHA',
    call,
    'Etcd failed request counts for each operation and object type.',
  ),
  storedLists: counterFacts(
    'apiserver_storage_list_total',
    'ALPHA',
    stored,
    'Number of LIST requests served from storage',
  ),
  storedListFetched: counterFacts(
    'apiserver_storage_list_fetched_objects_total',
    'ALPHA',
    stored,
    'Number of objects read from storage in the course of serving a LIST request',
  ),
  storedListEvaluated: counterFacts(
    'apiserver_storage_list_evaluated_objects_total',
    'ALPHA',
    stored,
    'Number of objects tested in the course of serving a LIST request from storage',
  ),
  storedListReturned: counterFacts(
    'apiserver_storage_list_returned_objects_total',
    'ALPHA',
    stored,
    'Number of objects returned for a LIST request from storage',
  ),
  received: counterFacts(
    'apiserver_storage_events_received_total',
    'BETA',
    stored,
    'Number of etcd events received split by kind.',
  ),
  objects: gaugeFacts(
    'apiserver_resource_objects',
    'ALPHA',
    stored,
    'Number of stored objects at the time of last check split by kind. In case of a fetching error, the value will be -1.',
  ),
  decodeErrors: counterFacts(
    'apiserver_storage_decode_errors_total',
    'ALPHA',
    stored,
    'Number of reads of stored objects that could not be decoded, split by kind.',
  ),
  objectBytes: gaugeFacts(
    'apiserver_resource_size_estimate_bytes',
    'ALPHA',
    stored,
    'Estimated size of the stored objects of a kind, from the sizes of some of them in the cache.',
  ),
  consistentReads: counterFacts(
    'apiserver_watch_cache_consistent_read_total',
    'ALPHA',
    [...stored, 'success', 'fallback'],
    'Counter of lists that require the newest state; fallback says whether the store answered because the cache could not.',
  ),
  objectsByName: {
    ...gaugeFacts(
      'apiserver_storage_objects',
      'STABLE',
      ['resource'],
      '[DEPRECATED, consider using apiserver_resource_objects instead] Number of stored objects at the time of last check split by kind. In case of a fetching error, the value will be -1.',
    ),
    deprecatedSince: '1.34.0',
  },
  size: gaugeFacts(
    'apiserver_storage_size_bytes',
    'STABLE',
    ['storage_cluster_id'],
    'Size of the storage database file physically allocated in bytes.',
  ),
  cachedLists: counterFacts(
    'apiserver_cache_list_total',
    'ALPHA',
    [...stored, 'index'],
    'Number of LIST requests served from watch cache',
  ),
  cachedListFetched: counterFacts(
    'apiserver_cache_list_fetched_objects_total',
    'ALPHA',
    [...stored, 'index'],
    'Number of objects read from watch cache in the course of serving a LIST request',
  ),
  cachedListReturned: counterFacts(
    'apiserver_cache_list_returned_objects_total',
    'ALPHA',
    stored,
    'Number of objects returned for a LIST request from watch cache',
  ),
  initialEvents: counterFacts(
    'apiserver_init_events_total',
    'ALPHA',
    stored,
    'Counter of init events processed in watch cache broken by resource type.',
  ),
  cacheReceived: counterFacts(
    'apiserver_watch_cache_events_received_total',
    'ALPHA',
    stored,
    'Counter of events received in watch cache broken by resource type.',
  ),
  dispatched: counterFacts(
    'apiserver_watch_cache_events_dispatched_total',
    'ALPHA',
    stored,
    'Counter of events dispatched in watch cache broken by resource type.',
  ),
  terminatedWatchers: counterFacts(
    'apiserver_terminated_watchers_total',
    'ALPHA',
    stored,
    'Counter of watchers closed due to unresponsiveness broken by resource type.',
  ),
  initializations: counterFacts(
    'apiserver_watch_cache_initializations_total',
    'ALPHA',
    stored,
    'Counter of watch cache initializations broken by resource type.',
  ),
  cacheRevision: gaugeFacts(
    'apiserver_watch_cache_resource_version',
    'ALPHA',
    stored,
    'Current resource version of watch cache broken by resource type. This is truncated to the 15 least significant digits.',
  ),
  capacity: gaugeFacts(
    'watch_cache_capacity',
    'ALPHA',
    stored,
    'Total capacity of watch cache broken by resource type.',
  ),
  readWait: histogramFacts(
    'apiserver_watch_cache_read_wait_seconds',
    'ALPHA',
    stored,
    [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3],
    'Histogram of time spent waiting for a watch cache to become fresh.',
  ),
};
