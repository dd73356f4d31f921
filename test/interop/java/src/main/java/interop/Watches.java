package interop;

import static interop.Failure.equal;
import static interop.Failure.eventually;
import static interop.Failure.refused;
import static interop.Samples.configMap;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** Watches: from a list on, chosen, across watches that end, refused, with the list in the stream. */
final class Watches {
  static void walk(NamespacedKubernetesClient client) {
    var maps = client.configMaps();
    maps.resource(configMap("before")).create();
    var version = maps.list().getMetadata().getResourceVersion();
    var all = new Events<ConfigMap>();
    var chosen = new Events<ConfigMap>();
    var named = new Events<ConfigMap>();
    // Its watches end after some seconds; the client goes on where each has stopped.
    var resumed = new Events<ConfigMap>();
    var shortly = new ListOptionsBuilder().withResourceVersion(version).withTimeoutSeconds(3L)
        .withAllowWatchBookmarks(true).build();
    try (var watchOfAll = maps.watch(version, all);
        var watchOfChosen = maps.withLabel("chosen").watch(version, chosen);
        var watchOfNamed = maps.withName("b").watch(version, named);
        var watchThatEnds = maps.watch(shortly, resumed)) {
      maps.resource(configMap("a")).create();
      maps.withName("a").edit(map -> labelled(map, Map.of("chosen", "yes")));
      maps.withName("a").edit(map -> labelled(map, Map.of()));
      maps.withName("a").delete();
      maps.resource(configMap("b", "1", Map.of("chosen", "yes"))).create();
      all.are("ADDED a", "MODIFIED a", "MODIFIED a", "DELETED a", "ADDED b");
      chosen.are("ADDED a", "DELETED a", "ADDED b");
      named.are("ADDED b");

      eventually("a bookmark of the second", () -> Collections.frequency(resumed.told(), "BOOKMARK") >= 2);
      maps.resource(configMap("c")).create();
      eventually("the last event", () -> resumed.told().contains("ADDED c"));
      equal(resumed.told().stream().filter(each -> !each.equals("BOOKMARK")).toList(),
          List.of("ADDED a", "MODIFIED a", "MODIFIED a", "DELETED a", "ADDED b", "ADDED c"));
      equal(resumed.end, null);
    }
    eventually("their end", () -> all.hasEnded && chosen.hasEnded && named.hasEnded && resumed.hasEnded);

    // Over HTTP the client asks again and again.
    if (!client.getConfiguration().isOnlyHttpWatches()) {
      refused(400, () -> maps.withField("data.n", "1").watch(new Events<>()));
      refused(404, () -> client.genericKubernetesResources(nothing()).watch(new Events<>()));
    }
    walkStreamedList(client);
  }

  private static void walkStreamedList(NamespacedKubernetesClient client) {
    var maps = client.configMaps();
    var streamed = new CopyOnWriteArrayList<String>();
    var version = maps.streamingList(map -> streamed.add(map.getMetadata().getName())).orTimeout(30, TimeUnit.SECONDS)
        .join();
    var then = new ListOptionsBuilder().withResourceVersion(version).withResourceVersionMatch("Exact").build();
    equal(streamed, maps.list(then).getItems().stream().map(map -> map.getMetadata().getName()).toList());
  }

  private static ResourceDefinitionContext nothing() {
    return new ResourceDefinitionContext.Builder().withGroup("nothing.example.com").withVersion("v1")
        .withKind("Nothing").withPlural("nothings").withNamespaced(true).build();
  }

  private static ConfigMap labelled(ConfigMap map, Map<String, String> labels) {
    return new ConfigMapBuilder(map).editMetadata().withLabels(labels).endMetadata().build();
  }

  private Watches() {}
}
