package interop;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import io.fabric8.kubernetes.client.http.HttpClient;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import java.util.logging.LogManager;

/**
 * Does what programs do with fabric8's client, and says what did not come out as it should. The cluster is that of
 * KUBECONFIG. Without a word all was well.
 */
public final class Main {
  private record Walk(String name, Consumer<NamespacedKubernetesClient> run) {}

  private static final List<Walk> OF_WATCHES =
      List.of(new Walk("watches", Watches::walk), new Walk("informers", Informers::walk));
  private static final List<Walk> OF_THE_REST = List.of(
      new Walk("discovery", Discovery::walk),
      new Walk("writes", Writes::walk),
      new Walk("deletes", Deletes::walk),
      new Walk("lists", Lists::walk),
      new Walk("patches", Patches::walk),
      new Walk("apply", Apply::walk),
      new Walk("evictions", Evictions::walk),
      new Walk("custom", CustomKinds::walk),
      new Walk("election", Election::walk));

  /** With each of the HTTP clients that are there; watches over WebSockets, as the client prefers, and over HTTP. */
  public static void main(String[] parameters) {
    // What the libraries tell on the way is not a failure.
    LogManager.getLogManager().reset();
    try {
      for (var http : ServiceLoader.load(HttpClient.Factory.class)) {
        var name = http.getClass().getSimpleName().replace("HttpClientFactory", "").toLowerCase();
        walkAll(OF_THE_REST, "java-" + name, http, false);
        walkAll(OF_WATCHES, "java-" + name, http, false);
        walkAll(OF_WATCHES, "java-" + name + "-http", http, true);
      }
    } catch (Failure failure) {
      System.err.println(failure.getMessage());
      System.exit(1);
    }
  }

  /** One after the other, each in a namespace of its name. */
  private static void walkAll(List<Walk> walks, String names, HttpClient.Factory http, boolean onlyHttpWatches) {
    var config = new ConfigBuilder(Config.autoConfigure(null))
        .withOnlyHttpWatches(onlyHttpWatches)
        .withWatchReconnectInterval(100)
        // With retries a refused eviction is told after many seconds.
        .withRequestRetryBackoffLimit(0)
        .build();
    try (var client = new KubernetesClientBuilder().withHttpClientFactory(http).withConfig(config).build()) {
      for (var walk : walks) {
        var name = names + "-" + walk.name;
        try {
          walk.run.accept(Namespaces.create(client, name));
          Namespaces.delete(client, name);
        } catch (RuntimeException cause) {
          throw new Failure(name + ": " + Failure.describe(cause));
        }
      }
    }
  }

  private Main() {}
}
