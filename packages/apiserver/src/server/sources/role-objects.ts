import type { GroupResource } from '@binnacle/apimachinery/meta';
import type { UserInfo } from '../../authentication/index.js';
import { RBAC_GROUP, type Role, type RoleBinding, type RoleSource, SubjectIndex } from '../../authorization/index.js';
import type { KindReader, ResourceOf, Stores } from '../../registry/index.js';

const CLUSTER_ROLES: ResourceOf<Role> = { group: RBAC_GROUP, resource: 'clusterroles' };
const CLUSTER_ROLE_BINDINGS: ResourceOf<RoleBinding> = { group: RBAC_GROUP, resource: 'clusterrolebindings' };
const ROLES: ResourceOf<Role> = { group: RBAC_GROUP, resource: 'roles' };
const ROLE_BINDINGS: ResourceOf<RoleBinding> = { group: RBAC_GROUP, resource: 'rolebindings' };

/** The objects that RBAC reads. */
export const ROLES_AND_BINDINGS: readonly GroupResource[] = [
  CLUSTER_ROLES,
  CLUSTER_ROLE_BINDINGS,
  ROLES,
  ROLE_BINDINGS,
];

/** Roles and bindings from their caches, which authorization reads without waiting. */
export class RoleObjects implements RoleSource {
  readonly #clusterRoles: KindReader<Role>;
  readonly #clusterRoleBindings: KindReader<RoleBinding>;
  readonly #roles: KindReader<Role>;
  readonly #roleBindings: KindReader<RoleBinding>;
  readonly #clusterSubjects: IndexedBindings;
  readonly #subjects: IndexedBindings;
  #isReady = false;

  constructor(stores: Stores) {
    this.#clusterRoles = stores.reader(CLUSTER_ROLES);
    this.#clusterRoleBindings = stores.reader(CLUSTER_ROLE_BINDINGS);
    this.#roles = stores.reader(ROLES);
    this.#roleBindings = stores.reader(ROLE_BINDINGS);
    this.#clusterSubjects = new IndexedBindings(this.#clusterRoleBindings);
    this.#subjects = new IndexedBindings(this.#roleBindings);
  }

  /** Whether {@link ready} has settled once. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Settles when authorization can decide. */
  async ready(): Promise<void> {
    await Promise.all(this.#readers().map(async (reader) => reader.ready()));
    this.#isReady = true;
  }

  /** Settles when the newest roles and bindings are known. */
  async upToDate(): Promise<void> {
    await Promise.all(this.#readers().map((reader) => reader.upToDate()));
  }

  clusterRole(name: string): Role | undefined {
    return this.#clusterRoles.findCached('', name);
  }

  role(namespace: string, name: string): Role | undefined {
    return this.#roles.findCached(namespace, name);
  }

  clusterRoleBindings(user: UserInfo): Iterable<RoleBinding> {
    return this.#clusterSubjects.bindingsOf(user, '');
  }

  roleBindings(namespace: string, user: UserInfo): Iterable<RoleBinding> {
    return this.#subjects.bindingsOf(user, namespace);
  }

  #readers() {
    return [this.#clusterRoles, this.#clusterRoleBindings, this.#roles, this.#roleBindings];
  }
}

/** The bindings of a kind by their subjects, brought up to date when a decision finds that some have changed. */
class IndexedBindings {
  readonly #reader: KindReader<RoleBinding>;
  readonly #index = new SubjectIndex();
  #changes: number | undefined;

  constructor(reader: KindReader<RoleBinding>) {
    this.#reader = reader;
  }

  bindingsOf(user: UserInfo, namespace: string): readonly RoleBinding[] {
    const { changes } = this.#reader;
    if (changes !== this.#changes) {
      this.#changes = changes;
      this.#index.update(this.#reader.eachCached(''));
    }
    return this.#index.bindingsOf(user, namespace);
  }
}
