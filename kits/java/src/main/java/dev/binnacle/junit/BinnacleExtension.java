package dev.binnacle.junit;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Gives tests servers, and clients of them, as parameters: {@link BinnacleServer}, fabric8's {@code KubernetesClient},
 * {@code ApiClient} of {@code io.kubernetes:client-java}, and {@link Webhooks}.
 *
 * <p>A parameter of a test, of {@code @BeforeEach}, {@code @AfterEach} or the constructor is for the test's own server.
 * That is a fork of the server of its class, which {@code @BeforeAll} gets: objects that it creates there are in the
 * servers of all tests. The server of a nested class is a fork of the one of the class around it, unless the nested
 * class has an annotation {@link Binnacle} of its own. A server starts when a parameter asks for it, and ends with its
 * test or class. A failure prints the last requests of the server.
 */
public final class BinnacleExtension implements ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(BinnacleExtension.class);
  /** Names, not classes: a project may have only one of the clients. */
  private static final String FABRIC8 = "io.fabric8.kubernetes.client.KubernetesClient";
  private static final String OFFICIAL = "io.kubernetes.client.openapi.ApiClient";
  private static final Set<String> TYPES =
      Set.of(FABRIC8, OFFICIAL, BinnacleServer.class.getName(), Webhooks.class.getName());

  private final ServerOptions options;

  /** A thing of a test or class. Its name is not enough: the store of a test also shows what its class has. */
  private record Key(String owner, String name) {}

  /** For servers as {@link Binnacle} describes them, or empty ones. */
  public BinnacleExtension() {
    this(ServerOptions.none());
  }

  /** To register in a static field: {@code @RegisterExtension static final BinnacleExtension binnacle = ...}. */
  public BinnacleExtension(ServerOptions options) {
    this.options = options;
  }

  /** The parameters of a constructor belong to its test. */
  @Override
  public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
    return ExtensionContextScope.TEST_METHOD;
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return TYPES.contains(parameter.getParameter().getType().getName());
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    var owned = owned(context);
    var server = owned.server();
    var type = parameter.getParameter().getType();
    if (type == BinnacleServer.class) return server;
    if (type == Webhooks.class) {
      return owned.webhooks().orElseThrow(() -> new ParameterResolutionException("@Binnacle names no webhooks"));
    }
    if (type.getName().equals(FABRIC8)) return kept(context, FABRIC8, () -> Fabric8Client.connect(server));
    var official = kept(context, OFFICIAL, () -> new OfficialClient.Closeable(OfficialClient.connect(server)));
    return ((OfficialClient.Closeable) official).client();
  }

  private OwnedServer owned(ExtensionContext context) {
    var isOfTest = context.getTestMethod().isPresent();
    return (OwnedServer) kept(context, "server", () -> isOfTest ? ofTest(context) : ofClass(context));
  }

  private OwnedServer ofTest(ExtensionContext context) {
    var ofClass = owned(classAround(context));
    return new OwnedServer(ofClass.server().fork(), ofClass.webhooks(), context);
  }

  private OwnedServer ofClass(ExtensionContext context) {
    var annotation = AnnotationSupport.findAnnotation(context.getRequiredTestClass(), Binnacle.class);
    var outer = context.getParent().filter(parent -> parent.getTestClass().isPresent());
    if (annotation.isEmpty() && outer.isPresent()) {
      var ofOuter = owned(outer.get());
      return new OwnedServer(ofOuter.server().fork(), ofOuter.webhooks(), context);
    }
    var server = base(context.getRoot(), annotation).fork();
    var webhooks = annotation.map(Binnacle::webhooks).filter(paths -> paths.length > 0);
    return new OwnedServer(server, webhooks.map(paths -> server.installWebhooks(paths(paths))), context);
  }

  /** The server that all classes with equal annotations fork. */
  private BinnacleServer base(ExtensionContext root, Optional<Binnacle> annotation) {
    Object key = annotation.isPresent() ? annotation.get() : options;
    var store = root.getStore(NAMESPACE);
    return store.getOrComputeIfAbsent(
        key,
        absent -> BinnacleServer.start(annotation.map(BinnacleExtension::optionsOf).orElse(options)),
        BinnacleServer.class);
  }

  private static ServerOptions optionsOf(Binnacle annotation) {
    var all = ServerOptions.none().crds(paths(annotation.crds())).flags(annotation.flags());
    if (annotation.controllers().length > 0) all = all.controllers(annotation.controllers());
    if (annotation.nodes() > 0) all = all.nodes(annotation.nodes());
    return annotation.binary().isEmpty() ? all : all.binary(Path.of(annotation.binary()));
  }

  private static Path[] paths(String... names) {
    return Stream.of(names).map(Path::of).toArray(Path[]::new);
  }

  /** Tests of templates have contexts between theirs and that of the class. */
  private static ExtensionContext classAround(ExtensionContext context) {
    var around = context;
    while (around.getTestMethod().isPresent()) around = around.getParent().orElseThrow();
    return around;
  }

  /** What belongs to a context, and is closed with it. */
  private static Object kept(ExtensionContext context, String name, Supplier<AutoCloseable> create) {
    return context.getStore(NAMESPACE)
        .getOrComputeIfAbsent(new Key(context.getUniqueId(), name), absent -> create.get());
  }
}
