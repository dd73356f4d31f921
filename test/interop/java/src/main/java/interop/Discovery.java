package interop;

import static interop.Failure.equal;
import static interop.Failure.holds;

import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.authentication.SelfSubjectReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import java.util.List;

/** Asks for the version and the API of the server, and for the user of this client. */
final class Discovery {
  static void walk(NamespacedKubernetesClient client) {
    var version = client.getKubernetesVersion();
    holds(version.getGitVersion().startsWith("v" + version.getMajor() + "." + version.getMinor() + "."), "a version");
    holds(version.getBuildDate() != null, "a date of the build");

    holds(client.supports(Ingress.class), "ingresses");
    holds(client.supports("apps/v1", "Deployment"), "deployments");
    holds(!client.supports("apps/v1", "Deploymint"), "no such kind");
    holds(!client.supports("nothing.example.com/v1", "Thing"), "no such group");
    holds(client.hasApiGroup("batch", true) && client.hasApiGroup("k8s.io", false), "groups");
    holds(!client.hasApiGroup("k8s.io", true), "no such group");
    equal(client.getAPIVersions().getVersions(), List.of("v1"));
    holds(client.rootPaths().getPaths().contains("/apis/apps/v1"), "root paths");

    equal(client.getApiGroup("apps").getPreferredVersion().getGroupVersion(), "apps/v1");
    equal(client.getApiGroup("nothing.example.com"), null);
    holds(client.getApiGroups().getGroups().stream().anyMatch(group -> group.getName().equals("policy")), "a group");
    var deployments = client.getApiResources("apps/v1").getResources();
    equal(deployments.stream().filter(each -> each.getKind().equals("Deployment")).map(APIResource::getName).toList(),
        List.of("deployments", "deployments/status"));
    equal(deployments.stream().filter(each -> each.getKind().equals("Scale")).map(APIResource::getGroup).distinct()
        .toList(), List.of("autoscaling"));
    equal(client.getApiResources("nothing.example.com/v1"), null);

    var review = client.authentication().v1().selfSubjectReviews().create(new SelfSubjectReview());
    var user = review.getStatus().getUserInfo();
    holds(user.getGroups().contains("system:authenticated"), "a group of the client");
    var may = client.authorization().v1().selfSubjectAccessReview().create(new SelfSubjectAccessReviewBuilder()
        .withNewSpec().withNewResourceAttributes().withVerb("list").withResource("nodes").endResourceAttributes()
        .endSpec().build());
    equal(may.getStatus().getAllowed(), true);
    equal(client.raw("/readyz"), "ok");
  }

  private Discovery() {}
}
