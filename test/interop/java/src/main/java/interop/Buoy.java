package interop;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** A kind of ours, as a class. */
@Group("java.example.com")
@Version("v1")
public final class Buoy extends CustomResource<Buoy.Spec, Buoy.Status> implements Namespaced {
  public static final class Spec {
    public Integer lamps;
    public String colour;
  }

  public static final class Status {
    public Integer lit;
  }

  static Buoy named(String name, int lamps) {
    var buoy = new Buoy();
    buoy.getMetadata().setName(name);
    buoy.setSpec(new Spec());
    buoy.getSpec().lamps = lamps;
    return buoy;
  }
}
