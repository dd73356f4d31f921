package interop;

import static interop.Failure.equal;
import static interop.Failure.eventually;
import static interop.Failure.holds;
import static interop.Samples.configMap;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Keeps a namespace in memory while it changes, and waits for what will be. */
final class Informers {
  private static final int AT_FIRST = 40;

  static void walk(NamespacedKubernetesClient client) {
    var maps = client.configMaps();
    for (var n = 0; n < AT_FIRST; n++) maps.resource(map(n, "1")).create();
    var heard = new Events<ConfigMap>();
    var ofPages = new Events<ConfigMap>();
    var chosen = maps.withLabel("walk", "informers");
    try (var informer = chosen.runnableInformer(0).addEventHandler(heard).addIndexers(
            Map.of("n", map -> List.of(map.getData().get("n")))).run();
        var paged = chosen.withLimit(7L).inform(ofPages)) {
      equal(informer.getStore().list().size(), AT_FIRST);
      for (var n = 0; n < 20; n++) {
        maps.resource(map(AT_FIRST + n, "1")).create();
        maps.withName("map-" + n).edit(it -> new ConfigMapBuilder(it).addToData("n", "2").build());
        maps.withName("map-" + (AT_FIRST - 1 - n)).delete();
      }
      for (var events : List.of(heard, ofPages)) {
        eventually("all changes", () -> countsOf(events).equals(Map.of("ADDED", 60L, "MODIFIED", 20L, "DELETED", 20L)));
      }
      var versions = versionsOf(chosen.list().getItems());
      equal(versionsOf(informer.getStore().list()), versions);
      equal(versionsOf(paged.getStore().list()), versions);
      equal(informer.getIndexer().byIndex("n", "2").size(), 20);
      holds(informer.isWatching() && paged.isWatching(), "they still run");
    }

    var later = maps.withName("later").informOnCondition(found -> !found.isEmpty());
    maps.resource(configMap("later")).create();
    equal(later.orTimeout(30, TimeUnit.SECONDS).join().size(), 1);
    maps.withName("later").withTimeout(30, TimeUnit.SECONDS).delete();
    equal(maps.withName("later").get(), null);
  }

  private static ConfigMap map(int n, String value) {
    return configMap("map-" + n, value, Map.of("walk", "informers"));
  }

  private static Map<String, Long> countsOf(Events<?> events) {
    return events.told().stream().collect(Collectors.groupingBy(each -> each.split(" ")[0], Collectors.counting()));
  }

  private static List<String> versionsOf(List<? extends HasMetadata> objects) {
    return objects.stream().map(each -> each.getMetadata().getName() + " " + each.getMetadata().getResourceVersion())
        .sorted().toList();
  }

  private Informers() {}
}
