import {
  counterFacts,
  exponentialBuckets,
  gaugeFacts,
  histogramFacts,
  type MetricRegistry,
} from '@binnacle/apimachinery/metrics';

const key = ['transformation_type', 'provider_name', 'key_id_hash', 'apiserver_id_hash'] as const;
const reload = ['status', 'apiserver_id_hash'] as const;

/**
 * Metrics of encryption at rest, with `--encryption-provider-config`. Upstream, release 1.36: apiserver
 * `pkg/storage/value/metrics.go`, `pkg/storage/value/encrypt/envelope/metrics`, `pkg/server/options/encryptionconfig/metrics`.
 */
export const encryptionFacts = {
  durations: histogramFacts(
    'apiserver_storage_transformation_duration_seconds',
    'ALPHA',
    ['transformation_type', 'transformer_prefix'],
    exponentialBuckets(5e-6, 2, 25),
    'Latencies in seconds of value transformation operations.',
  ),
  operations: counterFacts(
    'apiserver_storage_transformation_operations_total',
    'ALPHA',
    ['resource', 'transformation_type', 'transformer_prefix', 'status'],
    "Total number of transformations. Successful transformation will have a status 'OK' and a varied status string when the transformation fails. The status, resource, and transformation_type fields can be used for alerting purposes. For example, you can monitor for encryption/decryption failures using the transformation_type (e.g., from_storage for decryption and to_storage for encryption). Additionally, these fields can be used to ensure that the correct transformers are applied to each resource.",
  ),
  cacheMisses: counterFacts(
    'apiserver_storage_envelope_transformation_cache_misses_total',
    'ALPHA',
    [],
    'Total number of cache misses while accessing key decryption key(KEK).',
  ),
  keyGenerations: histogramFacts(
    'apiserver_storage_data_key_generation_duration_seconds',
    'ALPHA',
    [],
    exponentialBuckets(5e-6, 2, 14),
    'Latencies in seconds of data encryption key(DEK) generation operations.',
  ),
  calls: histogramFacts(
    'apiserver_envelope_encryption_kms_operations_latency_seconds',
    'ALPHA',
    ['provider_name', 'method_name', 'grpc_status_code'],
    exponentialBuckets(0.0001, 2, 20),
    'KMS operation duration with gRPC error code status total.',
  ),
  keyUses: counterFacts(
    'apiserver_envelope_encryption_key_id_hash_total',
    'ALPHA',
    key,
    'Number of times a keyID is used split by transformation type, provider, and apiserver identity.',
  ),
  keyUseTimes: gaugeFacts(
    'apiserver_envelope_encryption_key_id_hash_last_timestamp_seconds',
    'ALPHA',
    key,
    'The last time in seconds when a keyID was used.',
  ),
  keyStatusTimes: gaugeFacts(
    'apiserver_envelope_encryption_key_id_hash_status_last_timestamp_seconds',
    'ALPHA',
    ['provider_name', 'key_id_hash', 'apiserver_id_hash'],
    'The last time in seconds when a keyID was returned by the Status RPC call.',
  ),
  invalidKeys: counterFacts(
    'apiserver_envelope_encryption_invalid_key_id_from_status_total',
    'ALPHA',
    ['provider_name', 'error'],
    'Number of times an invalid keyID is returned by the Status RPC call split by error.',
  ),
  cachedKeys: gaugeFacts(
    'apiserver_envelope_encryption_dek_source_cache_size',
    'ALPHA',
    ['provider_name'],
    'Number of records in data encryption key (DEK) source cache. On a restart, this value is an approximation of the number of decrypt RPC calls the server will make to the KMS plugin.',
  ),
  reloads: counterFacts(
    'apiserver_encryption_config_controller_automatic_reloads_total',
    'ALPHA',
    reload,
    'Total number of reload successes and failures of encryption configuration split by apiserver identity.',
  ),
  reloadTimes: gaugeFacts(
    'apiserver_encryption_config_controller_automatic_reload_last_timestamp_seconds',
    'ALPHA',
    reload,
    'Timestamp of the last successful or failed automatic reload of encryption configuration split by apiserver identity.',
  ),
  configuration: gaugeFacts(
    'apiserver_encryption_config_controller_last_config_info',
    'ALPHA',
    ['apiserver_id_hash', 'hash'],
    'Information about the last applied encryption configuration with hash as label, split by apiserver identity.',
  ),
};

export type EncryptionMetrics = ReturnType<typeof encryptionMetrics>;

/** The series that are counted as they happen. The caller registers the others, whose labels it bounds. */
export function encryptionMetrics(registry: MetricRegistry) {
  return {
    durations: registry.histograms(encryptionFacts.durations),
    operations: registry.numbers(encryptionFacts.operations),
    cacheMisses: registry.numbers(encryptionFacts.cacheMisses),
    keyGenerations: registry.histograms(encryptionFacts.keyGenerations),
    calls: registry.histograms(encryptionFacts.calls),
    invalidKeys: registry.numbers(encryptionFacts.invalidKeys),
    cachedKeys: registry.numbers(encryptionFacts.cachedKeys),
    reloads: registry.numbers(encryptionFacts.reloads),
    reloadTimes: registry.numbers(encryptionFacts.reloadTimes),
  };
}
