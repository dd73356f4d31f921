package interop;

import static interop.Failure.equal;
import static interop.Failure.holds;
import static interop.Failure.refused;
import static interop.Samples.configMap;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Lists: in pages, chosen, at a version, as metadata and as a table. */
final class Lists {
  static void walk(NamespacedKubernetesClient client) {
    var maps = client.configMaps();
    for (var n = 0; n < 12; n++) {
      maps.resource(configMap("map-" + n, "1", Map.of("page", "yes", "third", n % 3 == 0 ? "yes" : "no"))).create();
    }
    var paged = maps.withLabel("page");
    var names = new ArrayList<String>();
    String next = null;
    do {
      var page = paged.list(new ListOptionsBuilder().withLimit(5L).withContinue(next).build());
      holds(page.getItems().size() <= 5, "five a page");
      names.addAll(namesOf(page.getItems()));
      next = page.getMetadata().getContinue();
      if (next != null) {
        equal(page.getMetadata().getRemainingItemCount(), null);
        maps.resource(configMap("later-" + names.size(), "1", Map.of("page", "yes"))).create();
      }
    } while (next != null);
    equal(names, namesOf(paged.list().getItems()).stream().filter(name -> name.startsWith("map-")).toList());
    equal(maps.list(3, null).getMetadata().getRemainingItemCount(), (long) maps.list().getItems().size() - 3);
    refused(400, "BadRequest", () -> maps.list(new ListOptionsBuilder().withContinue("nonsense").build()));

    equal(namesOf(paged.withLabelIn("third", "yes", "perhaps").list().getItems()),
        List.of("map-0", "map-3", "map-6", "map-9"));
    equal(paged.withoutLabel("third").list().getItems().size(), 2);
    equal(paged.withoutLabel("third", "no").withField("metadata.name", "map-3").list().getItems().size(), 1);
    var everywhere = client.inAnyNamespace().configMaps().withLabel("page");
    equal(everywhere.withoutField("metadata.name", "map-3").list().getItems().size(), 13);
    refused(400, "BadRequest", () -> maps.withField("data.n", "1").list());

    var version = paged.list().getMetadata().getResourceVersion();
    maps.withName("map-0").delete();
    var then = new ListOptionsBuilder().withResourceVersion(version).withResourceVersionMatch("Exact").build();
    equal(paged.list(then).getItems().size(), 14);
    equal(paged.list().getItems().size(), 13);

    equal(maps.withLabel("third", "yes").listAsPartialObjectMetadata().getItems().stream()
        .map(each -> each.getMetadata().getName()).toList(), List.of("map-3", "map-6", "map-9"));
    var table = maps.withName("map-3").getAsTable();
    equal(table.getColumnDefinitions().get(1).getName(), "Data");
    equal(table.getRows().get(0).getCells().subList(0, 2), List.of("map-3", 1));
    equal(maps.withLabel("third", "yes").listAsTable().getRows().size(), 3);
  }

  private static List<String> namesOf(List<ConfigMap> maps) {
    return maps.stream().map(map -> map.getMetadata().getName()).toList();
  }

  private Lists() {}
}
