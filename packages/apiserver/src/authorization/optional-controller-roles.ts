import type { GroupVersionResource } from '@binnacle/apimachinery/meta';

/** The rules of a controller that has work only where a resource is served that is off by default. */
export interface OptionalControllerRole {
  readonly needs: GroupVersionResource;
  readonly rules: readonly string[];
}

/** As `defaultControllerRoles`. Upstream has these roles with the feature gates of their resources. */
export const optionalControllerRoles: Readonly<Record<string, OptionalControllerRole>> = {
  'kube-apiserver-serving-clustertrustbundle-publisher': {
    needs: { group: 'certificates.k8s.io', version: 'v1beta1', resource: 'clustertrustbundles' },
    rules: [
      'attest | certificates.k8s.io | signers | kubernetes.io/kube-apiserver-serving',
      'create delete list update watch | certificates.k8s.io | clustertrustbundles',
      'create patch update | core events.k8s.io | events',
    ],
  },
  podcertificaterequestcleaner: {
    needs: { group: 'certificates.k8s.io', version: 'v1beta1', resource: 'podcertificaterequests' },
    rules: ['delete get list watch | certificates.k8s.io | podcertificaterequests'],
  },
  'storage-version-garbage-collector': {
    needs: { group: 'internal.apiserver.k8s.io', version: 'v1alpha1', resource: 'storageversions' },
    rules: [
      'get list watch | coordination.k8s.io | leases',
      'delete get list patch update watch | internal.apiserver.k8s.io | storageversions',
      'get patch update | internal.apiserver.k8s.io | storageversions/status',
    ],
  },
  'storage-version-migrator-controller': {
    needs: { group: 'storagemigration.k8s.io', version: 'v1beta1', resource: 'storageversionmigrations' },
    rules: [
      'create list patch | * | *',
      'get | apiextensions.k8s.io | customresourcedefinitions',
      'patch | apiextensions.k8s.io | customresourcedefinitions/status',
      'update | storagemigration.k8s.io | storageversionmigrations/status',
    ],
  },
};
