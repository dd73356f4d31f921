package example;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

@Group("example.com")
@Version("v1")
public class Lantern extends CustomResource<Lantern.Spec, Lantern.Status> implements Namespaced {
  private static final long serialVersionUID = 1;

  public record Spec(String colour) {}

  public record Status(boolean lit) {}
}
