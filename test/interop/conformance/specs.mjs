/** Which of upstream's specs are run, as Go's regular expressions: those of the API itself, and of what loops make of objects. */
export const wanted = [
  String.raw`\[sig-api-machinery\]`,
  String.raw`\[sig-apps\] (ControllerRevision|CronJob|Daemon set|Deployment|DisruptionController|ReplicaSet|ReplicationController|StatefulSet)`,
  String.raw`\[sig-apps\] Job should (adopt|allow to delegate|apply changes|delete|fail when exceeds|remove pods|update the status ready)`,
  String.raw`\[sig-auth\] (Certificates API|\[Feature:NodeAuthorizer\]|SelfSubjectReview|SubjectReview)`,
  String.raw`\[sig-auth\] ServiceAccounts (no secret-based|should (create a serviceAccountToken|guarantee kube-root-ca|run through|update a))`,
  String.raw`\[sig-instrumentation\] Events`,
  String.raw`\[sig-network\] (EndpointSlice should support creating|Endpoints should test|Ingress API|IngressClass API|ServiceCIDR and IPAddress API)`,
  String.raw`\[sig-network\] (Services should (complete a service status|delete a collection)|API Server)`,
  String.raw`\[sig-node\] (ConfigMap should run|Lease|Node Lifecycle|PodTemplates|NodeLease|NoExecuteTaintManager)`,
  String.raw`\[sig-node\] Pods should (allow activeDeadlineSeconds|be submitted|be updated|delete a collection|get a host IP|patch a pod status|run through|support pod readiness)`,
  String.raw`\[sig-node\] Pods Extended .*(Pods Set QOS Class|negative grace period|custom-set generation|issue 500)`,
  String.raw`\[sig-node\] (Override hostname of Pod .*fail to be created|Variable Expansion should fail|Sysctls .*should reject)`,
  String.raw`\[sig-node\] (RuntimeClass|Secrets should (fail|patch)|ConfigMap should (fail|update)|\[DRA\] CRUD Tests resource.k8s.io/v1 )`,
  String.raw`\[sig-scheduling\] (LimitRange|Scheduler)`,
  String.raw`\[sig-storage\].*(CSIStorageCapacity|CSINodes|StorageClasses|VolumeAttachment|VolumeAttributesClass|PersistentVolumes CSI).*Conformance`,
];

/** Which of them are not, and why. */
export const unwanted = new Map([
  ['CoordinatedLeader|Feature:(StorageVersionAPI|APIServerIdentity|OffByDefault)', 'off in upstream too'],
  ['same resource name as built-in object', 'flaky by its own word: kubectl remembers the resources that there were'],
  [
    'CronJob should (delete|not emit)',
    'containers would have to end, as in the specs of Job that are not named above; hollow ones run forever',
  ],
  ['serve a basic image|provide basic identity|predecessor fails', 'they look into containers'],
  [
    'roll backs of template|partiton1|(evict|not evict) unready|proportional scaling|surge pods|Daemon set.*rollback',
    'readiness and images of hollow containers always are in order',
  ],
  ['Feature:RuntimeHandler', 'no node has another handler'],
  [
    'local ephemeral storage resource limits',
    'it divides by the ephemeral storage of the nodes, and hollow ones have none',
  ],
  ['PersistentVolumeClaimPolicy|load-balancer', 'no storage class has a provisioner, and no cloud is there'],
  [String.raw`\[Slow\]|\[Disruptive\]`, 'they take an hour, or nodes down'],
]);
