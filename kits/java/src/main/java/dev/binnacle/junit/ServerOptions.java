package dev.binnacle.junit;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How a server starts. {@link #none()} gives an empty server without control loops. Each method returns other options,
 * and leaves these as they are.
 */
public final class ServerOptions {
  private static final ServerOptions NONE = new ServerOptions(Optional.empty(), List.of(), List.of(), List.of());

  private final Optional<Path> binary;
  private final List<Path> crds;
  private final List<String> definitions;
  private final List<String> flags;

  private ServerOptions(Optional<Path> binary, List<Path> crds, List<String> definitions, List<String> flags) {
    this.binary = binary;
    this.crds = crds;
    this.definitions = definitions;
    this.flags = flags;
  }

  /** An empty server without control loops. */
  public static ServerOptions none() {
    return NONE;
  }

  /** Sets the program, or its file binnacle.js. It takes precedence over {@code BINNACLE_PATH} and the PATH. */
  public ServerOptions binary(Path path) {
    return new ServerOptions(Optional.of(path), crds, definitions, flags);
  }

  /**
   * Installs the CustomResourceDefinitions of files, and of the YAML and JSON files of folders. The server is ready
   * when they are established.
   */
  public ServerOptions crds(Path... paths) {
    return new ServerOptions(binary, joined(crds, List.of(paths)), definitions, flags);
  }

  /** Installs a CustomResourceDefinition, as YAML or JSON. */
  public ServerOptions crd(String definition) {
    return new ServerOptions(binary, crds, joined(definitions, List.of(definition)), flags);
  }

  /** Turns control loops on: {@code *}, or their names. Without it there are none, as with envtest. */
  public ServerOptions controllers(String... names) {
    return flags("--controllers=" + String.join(",", names));
  }

  /** Adds simulated nodes, and a scheduler. With {@link #controllers} a Deployment gets pods, and they run. */
  public ServerOptions nodes(int count) {
    return flags("--nodes=" + count, "--scheduler");
  }

  /**
   * Passes flags of {@code binnacle serve}, such as {@code --feature-gates=NAME=true}. Flags about files, ports and
   * stores do not apply to a server in memory, and are refused.
   */
  public ServerOptions flags(String... more) {
    return new ServerOptions(binary, crds, definitions, joined(flags, List.of(more)));
  }

  Optional<Path> binary() {
    return binary;
  }

  List<Path> crds() {
    return crds;
  }

  List<String> definitions() {
    return definitions;
  }

  List<String> flags() {
    return flags;
  }

  private static <T> List<T> joined(Collection<T> before, Collection<T> after) {
    return Stream.concat(before.stream(), after.stream()).toList();
  }
}
